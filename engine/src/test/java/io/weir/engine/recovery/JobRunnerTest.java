package io.weir.engine.recovery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
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
import io.weir.engine.status.RestartHistory;
import io.weir.engine.worker.Workers;
import io.weir.storage.checkpoint.CheckpointStorage;
import io.weir.storage.checkpoint.CheckpointStorageException;
import io.weir.storage.checkpoint.CheckpointStore;
import io.weir.storage.log.MemoryLog;
import io.weir.storage.page.PagesStateBackend;
import io.weir.transport.Transport;
import io.weir.transport.aeron.AeronContext;
import io.weir.transport.aeron.AeronTransport;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.concurrent.EpochNanoClock;
import org.agrona.concurrent.OffsetEpochNanoClock;
import org.junit.jupiter.api.Test;

/** What a job leaves when it ends. */
final class JobRunnerTest {
    /** Functions are copied by serialization, so what they fail by is found here. */
    private static final AtomicInteger FAILURES = new AtomicInteger();

    private static final AtomicInteger CLOSED = new AtomicInteger();
    private static final long DEADLINE_S = 60;

    private final AtomicLong aheadNs = new AtomicLong();
    private final EpochNanoClock clock = () -> System.nanoTime() + aheadNs.get();

    @Test
    void shouldCloseItsStoreOnceStuckWorkIsOver() throws Exception {
        // given a job whose checkpoint is stuck on its way to the disk
        final CountDownLatch stuck = new CountDownLatch(1);
        final CountDownLatch released = new CountDownLatch(1);
        final CountDownLatch closed = new CountDownLatch(1);
        final WatchedStore store = new WatchedStore("stuck")
                .before(call -> {
                    if (!call.equals("attempt")) {
                        stuck.countDown();
                        await(released);
                    }
                })
                .onClosed(closed::countDown);
        final ExecutorService io = Executors.newFixedThreadPool(2);
        try (Transport transport = AeronTransport.launch(new AeronContext());
                Workers workers = new Workers(1, false, transport, clock, JobRunnerTest::fail)) {
            final JobRunner runner = new JobRunner(spec(store), transport, workers.all(), io, io, clock);
            final Thread thread = new Thread(runner, "job");
            thread.start();
            assertTrue(stuck.await(DEADLINE_S, TimeUnit.SECONDS), "a checkpoint is published");

            // when the job is cancelled, and the time it gives to such work passes
            runner.cancel();
            final long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(DEADLINE_S);
            while (thread.isAlive() && System.nanoTime() < deadlineNs) {
                aheadNs.addAndGet(TimeUnit.MILLISECONDS.toNanos(100));
                thread.join(1);
            }

            // then it has failed without waiting longer, and the store is closed behind that work
            assertTrue(!thread.isAlive(), "the job has ended");
            assertTrue(runner.failure().getMessage().contains("in time"), runner.failure()::toString);
            assertEquals(1, closed.getCount());
            released.countDown();
            assertTrue(closed.await(DEADLINE_S, TimeUnit.SECONDS), "the store is closed");
        } finally {
            released.countDown();
            io.shutdown();
        }
    }

    @Test
    void shouldTryAgainWhenTheStoreFailsAtARestart() {
        // given: an operator that fails once, and a store that fails once at the restart
        FAILURES.set(1);
        final AtomicInteger attempts = new AtomicInteger();
        final WatchedStore store = new WatchedStore("restarts").before(call -> {
            if (call.equals("attempt") && attempts.incrementAndGet() == 2) {
                throw new CheckpointStorageException("the disk does not answer");
            }
        });
        final MemoryLog input = MemoryLog.bounded(1);
        input.add(0, new byte[Long.BYTES]);
        final MemoryLog output = MemoryLog.unbounded(1);
        final Pipeline pipeline = Pipeline.named("restarts");
        pipeline.read(input, Codecs.longs())
                .map(JobRunnerTest::failing)
                .codec(Codecs.longs())
                .write(output, Codecs.longs(), Delivery.EXACTLY_ONCE);
        final ExecutorService io = Executors.newFixedThreadPool(2);
        final EpochNanoClock clock = new OffsetEpochNanoClock();
        try (Transport transport = AeronTransport.launch(new AeronContext());
                Workers workers = new Workers(1, false, transport, clock, JobRunnerTest::fail)) {
            final JobRunner runner = new JobRunner(
                    spec(pipeline, store, RestartStrategy.fixedDelay(2, Duration.ZERO)),
                    transport,
                    workers.all(),
                    io,
                    io,
                    clock);

            // when
            runner.run();

            // then
            assertEquals(JobState.FINISHED, runner.status().state());
            assertEquals(
                    List.of("planned", "the disk does not answer"),
                    runner.status().restarts().stream()
                            .map(restart -> restart.cause().replaceFirst(".*: ", ""))
                            .toList());
            assertEquals(1, output.records(0).size());
        } finally {
            io.shutdown();
        }
    }

    @Test
    void shouldCloseTheTasksWhenTheJobsOwnThreadMeetsAnError() {
        // given: no thread for publishing the first checkpoint, which the job's thread asks for
        final MemoryLog output = MemoryLog.unbounded(1);
        final MemoryLog input = MemoryLog.unbounded(1);
        input.add(0, new byte[Long.BYTES]);
        final Pipeline pipeline = Pipeline.named("no-thread");
        CLOSED.set(0);
        pipeline.read(input, Codecs.longs())
                .process(new Closing())
                .codec(Codecs.longs())
                .write(output, Codecs.longs(), Delivery.EXACTLY_ONCE);
        final Error error = new OutOfMemoryError("unable to create native thread");
        final Thread jobs = Thread.currentThread();
        final ExecutorService io = Executors.newFixedThreadPool(2);
        final CountDownLatch closed = new CountDownLatch(1);
        try (Transport transport = AeronTransport.launch(new AeronContext());
                Workers workers = new Workers(1, false, transport, clock, JobRunnerTest::fail)) {
            final JobRunner runner = new JobRunner(
                    spec(
                            pipeline,
                            new WatchedStore("no thread").onClosed(closed::countDown),
                            RestartStrategy.fixedDelay(2, Duration.ZERO)),
                    transport,
                    workers.all(),
                    work -> {
                        if (Thread.currentThread() == jobs) {
                            throw error;
                        }
                        io.execute(work);
                    },
                    io,
                    clock);

            // when
            runner.run();

            // then
            assertEquals(JobState.FAILED, runner.status().state());
            assertEquals(
                    "OutOfMemoryError: unable to create native thread",
                    runner.status().failure());
            assertEquals(1, CLOSED.get(), "the function was closed before the job ended");
            assertEquals(0, closed.getCount(), "the store was closed");
        } finally {
            io.shutdown();
        }
    }

    @Test
    void shouldRefuseAndEndAlsoBeforeItsFirstAttemptHasBegun() throws Exception {
        // given: a job that could not open its tasks yet
        final Pipeline pipeline = Pipeline.named("unopened");
        final MemoryLog output = MemoryLog.unbounded(1);
        pipeline.read(MemoryLog.unbounded(1), Codecs.longs())
                .process(new NeverOpens())
                .codec(Codecs.longs())
                .write(output, Codecs.longs(), Delivery.EXACTLY_ONCE);
        final ExecutorService io = Executors.newFixedThreadPool(2);
        try (Transport transport = AeronTransport.launch(new AeronContext());
                Workers workers = new Workers(1, false, transport, clock, JobRunnerTest::fail)) {
            final JobRunner runner = new JobRunner(
                    spec(pipeline, new WatchedStore("unopened"), RestartStrategy.fixedDelay(1, Duration.ofHours(1))),
                    transport,
                    workers.all(),
                    io,
                    io,
                    clock);
            assertTrue(!runner.step());

            // when
            final CompletableFuture<Long> checkpoint = runner.trigger();
            runner.step();
            runner.cancel();
            while (!runner.step()) {
                Thread.onSpinWait();
            }

            // then
            final ExecutionException refused =
                    assertThrows(ExecutionException.class, () -> checkpoint.get(DEADLINE_S, TimeUnit.SECONDS));
            assertTrue(refused.getMessage().contains("is restarting after a failure"), refused::toString);
            assertEquals(JobState.CANCELLED, runner.status().state());
            assertTrue(runner.status().restarts().get(0).cause().contains("no key"), runner.status()::toString);
        } finally {
            io.shutdown();
        }
    }

    @Test
    void shouldTellOfItsNewestRestartsAndCountThemAll() {
        final RestartHistory history = new RestartHistory();
        for (int attempt = 1; attempt <= 1_000_000; attempt++) {
            history.failed(attempt, "cause " + attempt);
            history.runsAgain(attempt / 2, attempt);
        }
        history.failed(1_000_001, "last");

        assertEquals(1_000_001, history.count());
        assertEquals(RestartHistory.KEPT, history.newest().size());
        assertEquals(
                new JobStatus.Restart(1_000_000, "cause 1000000", 500_000, 1_000_000),
                history.newest().get(RestartHistory.KEPT - 2));
        assertEquals(
                new JobStatus.Restart(1_000_001, "last", 0, 0), history.newest().get(RestartHistory.KEPT - 1));
    }

    /** Passes on what it gets. */
    private static final class Closing implements ProcessFunction<Long, Long> {
        private static final long serialVersionUID = 1L;

        @Override
        public void process(final Long value, final ProcessContext context, final Collector<Long> out)
                throws Exception {
            out.collect(value);
        }

        @Override
        public void close() {
            CLOSED.incrementAndGet();
        }
    }

    private static final class NeverOpens implements ProcessFunction<Long, Long> {
        private static final long serialVersionUID = 1L;

        @Override
        public void open() {
            throw new IllegalStateException("no key");
        }

        @Override
        public void process(final Long value, final ProcessContext context, final Collector<Long> out) {
            throw new AssertionError("it is not open");
        }
    }

    private static Long failing(final Long value) {
        if (FAILURES.getAndDecrement() > 0) {
            throw new IllegalStateException("planned");
        }
        return value;
    }

    private static void await(final CountDownLatch released) {
        try {
            assertTrue(released.await(2 * DEADLINE_S, TimeUnit.SECONDS), "released");
        } catch (final InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void fail(final Throwable error) {
        throw new AssertionError(error);
    }

    private static JobSpec spec(final CheckpointStore store) {
        final Pipeline pipeline = Pipeline.named("stuck");
        pipeline.read(MemoryLog.unbounded(1), Codecs.longs())
                .write(MemoryLog.unbounded(1), Codecs.longs(), Delivery.EXACTLY_ONCE);
        return spec(pipeline, store, RestartStrategy.fixedDelay(1, Duration.ZERO));
    }

    private static JobSpec spec(final Pipeline pipeline, final CheckpointStore store, final RestartStrategy restarts) {
        final CheckpointStorage storage = new CheckpointStorage() {
            @Override
            public String location() {
                return "stuck";
            }

            @Override
            public CheckpointStore open(final String jobName) {
                return store;
            }
        };
        final long hourNs = TimeUnit.HOURS.toNanos(1);
        return new JobSpec(
                Planner.plan(pipeline),
                new CheckpointSettings(TimeUnit.MILLISECONDS.toNanos(1), hourNs, 0, 1, 0, 1),
                BarrierSettings.aligned(),
                storage,
                new PagesStateBackend(),
                restarts,
                Restore.newest());
    }
}
