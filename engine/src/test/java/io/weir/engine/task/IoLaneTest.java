package io.weir.engine.task;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class IoLaneTest {
    private final ArrayDeque<Runnable> threads = new ArrayDeque<>();
    private final IoLane lane = new IoLane(threads::add);
    private final List<String> done = new ArrayList<>();

    @Test
    void shouldTellWhoAsksThatNothingRunsItAndBeQuiet() {
        final Error noThread = new OutOfMemoryError("unable to create native thread");
        final List<Runnable> later = new ArrayList<>();
        final IoLane refused = new IoLane(work -> {
            if (later.isEmpty()) {
                later.add(work);
                throw noThread;
            }
            work.run();
        });
        final List<String> done = new ArrayList<>();

        assertSame(noThread, assertThrows(OutOfMemoryError.class, () -> refused.execute(() -> done.add("refused"))));

        assertTrue(refused.isQuiet());
        assertTrue(refused.execute(() -> done.add("next")));
        assertEquals(List.of("next"), done);
    }

    @Test
    void shouldRunWorkInOrderOnePieceAtATime() {
        // given
        lane.execute(() -> done.add("first"));
        lane.execute(() -> done.add("second"));

        // then: one thread is asked for, not two
        assertEquals(1, threads.size());
        assertFalse(lane.isQuiet());

        // when
        threads.remove().run();

        // then
        assertEquals(List.of("first", "second"), done);
        assertTrue(lane.isQuiet());
    }

    @Test
    void shouldOutliveAnErrorOfItsWork() {
        // given
        final List<Throwable> heard = new ArrayList<>();
        final Thread.UncaughtExceptionHandler before = Thread.currentThread().getUncaughtExceptionHandler();
        Thread.currentThread().setUncaughtExceptionHandler((thread, e) -> heard.add(e));
        try {
            lane.execute(() -> {
                throw new AssertionError("planned");
            });
            lane.execute(() -> done.add("behind it"));

            // when
            threads.remove().run();
        } finally {
            Thread.currentThread().setUncaughtExceptionHandler(before);
        }

        // then
        assertEquals(List.of("behind it"), done);
        assertTrue(lane.isQuiet());
        assertEquals("planned", heard.get(0).getMessage());
    }

    @Test
    void shouldTakeNothingMoreOnceClosedButLetWaitingWorkSeeThat() {
        // given
        lane.execute(() -> done.add("closed=" + lane.isClosed()));

        // when
        lane.close();

        // then
        assertFalse(lane.execute(() -> done.add("late")));
        threads.remove().run();
        assertEquals(List.of("closed=true"), done);
        assertTrue(lane.isQuiet());
    }

    @Test
    void shouldDoTheLastWorkOfAClosedLaneBehindAllThatWaits() {
        // given
        lane.execute(() -> done.add("first"));
        lane.execute(() -> done.add("second"));
        lane.close();

        // when
        lane.executeLast(() -> done.add("last"));

        // then
        assertEquals(List.of(), done);
        assertFalse(lane.isQuiet());
        threads.remove().run();
        assertEquals(List.of("first", "second", "last"), done);
        assertTrue(lane.isQuiet());
    }

    @Test
    void shouldDoTheLastWorkAtOnceWhenNothingRuns() {
        // given
        assertThrows(IllegalStateException.class, () -> lane.executeLast(() -> done.add("early")));
        lane.close();

        // when
        lane.executeLast(() -> done.add("last"));

        // then
        assertEquals(List.of("last"), done);
        assertTrue(threads.isEmpty());
    }
}
