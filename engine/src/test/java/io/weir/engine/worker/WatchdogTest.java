package io.weir.engine.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.engine.task.TaskException;
import io.weir.engine.task.TaskId;
import io.weir.engine.worker.Watchdog.Verdict;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/** When a worker's thread is interrupted and given up, how that meets the end of its turn, and what is said of the place. */
final class WatchdogTest {
    private static final long TIMEOUT_NS = 800;
    private static final long STEP_NS = 100;
    private static final TaskId TASK = new TaskId(0, "in", "read", 0, 2);

    private final Watchdog watchdog = new Watchdog(TIMEOUT_NS);
    private final Turn turn = new Turn();
    private long nowNs = 1_000_000;

    @Test
    void shouldInterruptAtTheTimeoutAndGiveUpAfterAsMuchAgain() {
        assertEquals(Verdict.NONE, look(1));
        assertEquals(8, looksUntil(Verdict.INTERRUPT, 1));
        assertEquals(TIMEOUT_NS, watchdog.heldNs());
        assertEquals(8, looksUntil(Verdict.GIVE_UP, 1));
    }

    @Test
    void shouldGiveUpTenSecondsAfterTheInterruptAtTheLatest() {
        final Watchdog slow = new Watchdog(TimeUnit.SECONDS.toNanos(60));
        final long secondNs = TimeUnit.SECONDS.toNanos(1);
        slow.look(1, 0);
        for (int second = 1; second < 60; second++) {
            assertEquals(Verdict.NONE, slow.look(1, second * secondNs));
        }
        assertEquals(Verdict.INTERRUPT, slow.look(1, 60 * secondNs));
        for (int second = 61; second < 70; second++) {
            assertEquals(Verdict.NONE, slow.look(1, second * secondNs));
        }
        assertEquals(Verdict.GIVE_UP, slow.look(1, 70 * secondNs));
    }

    @Test
    void shouldBeginAnewWithEveryTurn() {
        look(1);
        for (int i = 0; i < 7; i++) {
            assertEquals(Verdict.NONE, look(1));
        }
        assertEquals(Verdict.NONE, look(3));
        assertEquals(8, looksUntil(Verdict.INTERRUPT, 3));
        assertEquals(Verdict.NONE, look(5));
        assertEquals(8, looksUntil(Verdict.INTERRUPT, 5));
    }

    @Test
    void shouldNotMindAWorkerThatIsInNoTask() {
        for (int i = 0; i < 100; i++) {
            assertEquals(Verdict.NONE, look(2));
        }
    }

    @Test
    void shouldNotTakeAProcessThatWasStoppedForStuck() {
        look(1);
        nowNs += 1000 * TIMEOUT_NS;
        assertEquals(Verdict.NONE, look(1));
        assertEquals(7, looksUntil(Verdict.INTERRUPT, 1));
    }

    @Test
    void shouldEndATurnThatNobodyTook() {
        final long number = turn.begin();

        assertTrue(Turn.isInTask(turn.number()));
        assertTrue(turn.end(number));
        assertFalse(Turn.isInTask(turn.number()));
        assertNull(turn.hold(number), "it is over");
        assertNull(turn.take(number), "it is over");
        assertFalse(turn.wasHeld());
    }

    @Test
    void shouldNotEndATurnThatWasTaken() {
        final long number = turn.begin();

        assertSame(Thread.currentThread(), turn.take(number));
        assertFalse(turn.end(number));
        final long next = turn.begin();
        assertFalse(turn.end(number), "the next thread's turn is not the first one's");
        assertTrue(turn.end(next));
    }

    @RepeatedTest(200)
    void shouldKeepATurnFromEndingWhileItIsHeld() throws Exception {
        final long number = turn.begin();
        assertNotNull(turn.hold(number));
        assertEquals(number, turn.number());
        final AtomicBoolean isReleased = new AtomicBoolean();
        final AtomicBoolean hasEnded = new AtomicBoolean();
        final AtomicBoolean wasReleasedBefore = new AtomicBoolean();
        final Thread worker = new Thread(() -> {
            hasEnded.set(turn.end(number));
            wasReleasedBefore.set(isReleased.get());
        });
        worker.start();

        isReleased.set(true);
        turn.release(number);
        worker.join();

        assertTrue(hasEnded.get(), "a turn that was held and not taken ends");
        assertTrue(wasReleasedBefore.get());
        assertTrue(turn.wasHeld());
    }

    @Test
    void shouldTellUserCodeFromOurs() {
        final StackTraceElement park = frame("jdk.internal.misc.Unsafe", "park");
        final StackTraceElement user = frame("com.shop.Prices", "lookUp");
        final StackTraceElement storage = frame("io.weir.storage.page.Pages", "put");

        assertTrue(at(park, user, storage).isUserCode(), "user code that our code has called");
        assertFalse(at(park, storage, user).isUserCode(), "our code that user code has called");
        assertFalse(at(frame("net.openhft.chronicle.bytes.MappedFile", "acquire"), user)
                .isUserCode());
        assertFalse(at().isUserCode(), "the thread has ended");
    }

    @Test
    void shouldNameTheTaskTheTimeAndThePlace() {
        final StackTraceElement[] stack = {frame("jdk.internal.misc.Unsafe", "park"), frame("com.shop.Prices", "lookUp")
        };
        final TaskException stuck = at(stack).stuck(TASK, TimeUnit.SECONDS.toNanos(60));
        final TaskException givenUp = at(stack).givenUp(TASK, TimeUnit.SECONDS.toNanos(70));

        assertEquals(
                "task read (1/2) has not returned for 60.0 s; it is at jdk.internal.misc.Unsafe.park(Unsafe.java:7),"
                        + " called at com.shop.Prices.lookUp(Prices.java:7)",
                stuck.getMessage());
        assertSame(stack[0], stuck.getCause().getStackTrace()[0]);
        assertFalse(stuck.isPermanent());
        assertTrue(givenUp.getMessage().contains("for 70.0 s, so its thread was given up;"), givenUp.getMessage());
        assertTrue(givenUp.isPermanent());
    }

    private int looksUntil(final Verdict wanted, final long seen) {
        for (int looks = 1; ; looks++) {
            final Verdict verdict = look(seen);
            if (verdict == wanted) {
                return looks;
            }
            assertEquals(Verdict.NONE, verdict);
        }
    }

    private Verdict look(final long seen) {
        nowNs += STEP_NS;
        return watchdog.look(seen, nowNs);
    }

    private static Whereabouts at(final StackTraceElement... stack) {
        return new Whereabouts("weir-worker-0", stack);
    }

    private static StackTraceElement frame(final String type, final String method) {
        return new StackTraceElement(type, method, type.substring(type.lastIndexOf('.') + 1) + ".java", 7);
    }
}
