package io.weir.engine.recovery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.engine.api.Codecs;
import io.weir.engine.api.Collector;
import io.weir.engine.api.Delivery;
import io.weir.engine.api.Pipeline;
import io.weir.engine.api.ProcessContext;
import io.weir.engine.api.ProcessFunction;
import io.weir.engine.api.RestartStrategy;
import io.weir.engine.api.Restore;
import io.weir.engine.barrier.BarrierSettings;
import io.weir.engine.coordinator.CheckpointSettings;
import io.weir.engine.graph.Planner;
import io.weir.engine.status.JobState;
import io.weir.engine.status.JobStatus;
import io.weir.engine.worker.Watch;
import io.weir.engine.worker.Workers;
import io.weir.storage.checkpoint.MemoryCheckpointStorage;
import io.weir.storage.log.MemoryLog;
import io.weir.storage.page.PagesStateBackend;
import io.weir.transport.Transport;
import io.weir.transport.aeron.AeronContext;
import io.weir.transport.aeron.AeronTransport;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.agrona.concurrent.EpochNanoClock;
import org.agrona.concurrent.OffsetEpochNanoClock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tasks that do not return to their worker, which two jobs share. The test watches, and owns the time of that. */
final class StuckTaskTest {
    private static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(60);
    private static final long DEADLINE_S = 60;

    private final EpochNanoClock clock = new OffsetEpochNanoClock();
    private final ExecutorService io = Executors.newFixedThreadPool(2);
    private final Transport transport = AeronTransport.launch(new AeronContext());
    private final Workers workers = new Workers(1, false, transport, clock, StuckTaskTest::fail);
    private final Watch watch = new Watch(workers, TIMEOUT_NS);
    private final AtomicBoolean isTransportClosed = new AtomicBoolean();
    private final MemoryLog input = MemoryLog.unbounded(1);
    private final MemoryLog output = MemoryLog.unbounded(1);
    private final MemoryLog otherInput = MemoryLog.unbounded(1);
    private final MemoryLog otherOutput = MemoryLog.unbounded(1);
    private long nowNs;

    /** Functions are copied by serialization, so they find it here. */
    private static volatile Hang hang;

    private static volatile CountDownLatch isIn;
    private static volatile CountDownLatch released;

    @AfterEach
    void close() {
        released.countDown();
        workers.close();
        workers.afterLast(() -> {
            transport.close();
            isTransportClosed.set(true);
        });
        await(isTransportClosed::get, "the transport is closed behind the last thread");
        io.shutdown();
    }

    @Test
    void shouldInterruptWhatWaitsAndStartAgain() throws Exception {
        // given
        final JobRunner other = start(Pipeline.named("other"), otherInput, otherOutput);
        final JobRunner stuck = startHanging(Hang.WAITS);
        assertTrue(isIn.await(DEADLINE_S, TimeUnit.SECONDS), "the function waits");
        add(otherInput, 1);

        // when
        watch(60);
        await(() -> stuck.status().restartCount() == 1, "a restart");

        // then
        add(input, 2);
        await(() -> output.records(0).size() == 2, "the output of all records");
        await(() -> otherOutput.records(0).size() == 1, "the other job goes on");
        final String cause = stuck.status().restarts().get(0).cause();
        assertTrue(
                cause.startsWith("task read -> process -> write (1/1) has not returned for 60.0 s; it is at "), cause);
        assertTrue(cause.contains(", called at io.weir.engine.recovery.StuckTaskTest"), cause);
        assertEquals(JobState.RUNNING, stuck.status().state());
        cancel(stuck, other);
        assertEquals(0, other.status().restartCount());
    }

    @ParameterizedTest
    @EnumSource(names = {"SPINS", "SPINS_IN_CLOSE"})
    void shouldGiveUpWhatDoesNotReturnAndRunTheOthersOnANewThread(final Hang how) throws Exception {
        // given
        final JobRunner other = start(Pipeline.named("other"), otherInput, otherOutput);
        final JobRunner stuck = startHanging(how);
        if (how == Hang.SPINS_IN_CLOSE) {
            stuck.cancel();
        }
        assertTrue(isIn.await(DEADLINE_S, TimeUnit.SECONDS), "the function spins");
        add(otherInput, 1);

        // when
        watch(70);
        await(() -> stuck.status().state().isTerminal(), "the end of the job");

        // then
        final JobStatus status = stuck.status();
        assertEquals(JobState.FAILED, status.state());
        assertEquals(0, status.restartCount());
        assertTrue(
                status.failure()
                        .startsWith("task read -> process -> write (1/1) has not returned for 70.0 s, so its thread"),
                status.failure());
        assertTrue(status.failure().contains("StuckTaskTest"), status.failure());
        await(() -> otherOutput.records(0).size() == 1, "the other job goes on");
        add(otherInput, 2);
        await(() -> otherOutput.records(0).size() == 2, "the other job goes on and on");
        assertEquals(0, other.status().restartCount());
        cancel(other);

        // and what the thread may still touch is there as long as it is away
        workers.close();
        final AtomicBoolean isFree = new AtomicBoolean();
        workers.afterLast(() -> isFree.set(true));
        assertFalse(isFree.get());
        released.countDown();
        await(isFree::get, "the thread has come back");
    }

    /** The time of the watch goes on only while the function hangs, or a task that runs would seem to do so. */
    private void watch(final int seconds) {
        watch.look(nowNs);
        for (int second = 0; second < seconds; second++) {
            nowNs += TimeUnit.SECONDS.toNanos(1);
            watch.look(nowNs);
        }
    }

    private JobRunner startHanging(final Hang how) {
        isIn = new CountDownLatch(1);
        released = new CountDownLatch(1);
        hang = how;
        add(input, 1);
        return start(Pipeline.named("stuck"), input, output);
    }

    private JobRunner start(final Pipeline pipeline, final MemoryLog from, final MemoryLog to) {
        final boolean hangs = from == input;
        pipeline.read(from, Codecs.longs())
                .process(new Hanging(hangs))
                .codec(Codecs.longs())
                .write(to, Codecs.longs(), Delivery.EXACTLY_ONCE);
        final CheckpointSettings checkpoints = new CheckpointSettings(
                TimeUnit.MILLISECONDS.toNanos(1), TimeUnit.HOURS.toNanos(1), 0, 1, Integer.MAX_VALUE, 1);
        final JobRunner runner = new JobRunner(
                new JobSpec(
                        Planner.plan(pipeline),
                        checkpoints,
                        BarrierSettings.aligned(),
                        new MemoryCheckpointStorage(),
                        new PagesStateBackend(),
                        RestartStrategy.fixedDelay(3, Duration.ZERO),
                        Restore.newest()),
                transport,
                workers.all(),
                io,
                io,
                clock);
        final Thread thread = new Thread(runner, "job");
        thread.setDaemon(true);
        thread.start();
        return runner;
    }

    private static void cancel(final JobRunner... runners) throws InterruptedException {
        for (final JobRunner runner : List.of(runners)) {
            runner.cancel();
            runner.awaitEnd();
            assertEquals(JobState.CANCELLED, runner.status().state());
        }
    }

    private static void add(final MemoryLog log, final int value) {
        log.add(0, new byte[] {(byte) value, 0, 0, 0, 0, 0, 0, 0});
    }

    private static void await(final BooleanSupplier condition, final String what) {
        final long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(DEADLINE_S);
        while (!condition.getAsBoolean()) {
            assertTrue(System.nanoTime() < deadlineNs, "not in time: " + what);
            Thread.onSpinWait();
        }
    }

    private static void fail(final Throwable error) {
        throw new AssertionError(error);
    }

    /** How a function does not return. */
    private enum Hang {
        WAITS,
        SPINS,
        SPINS_IN_CLOSE;

        /** Once. */
        void begin() throws InterruptedException {
            if (isIn.getCount() == 0) {
                return;
            }
            isIn.countDown();
            while (this != WAITS && released.getCount() > 0) {
                Thread.onSpinWait();
            }
            released.await();
        }
    }

    private record Hanging(boolean hangs) implements ProcessFunction<Long, Long> {
        @Override
        public void process(final Long value, final ProcessContext context, final Collector<Long> out)
                throws Exception {
            if (hangs && hang != Hang.SPINS_IN_CLOSE) {
                hang.begin();
            }
            out.collect(value);
        }

        @Override
        public void close() {
            if (hangs && hang == Hang.SPINS_IN_CLOSE) {
                try {
                    hang.begin();
                } catch (final InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
        }
    }
}
