package io.weir.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.engine.api.Checkpoints;
import io.weir.engine.api.Codecs;
import io.weir.engine.api.Delivery;
import io.weir.engine.api.Pipeline;
import io.weir.engine.status.JobState;
import io.weir.storage.checkpoint.CheckpointStorage;
import io.weir.storage.checkpoint.FileCheckpointStorage;
import io.weir.storage.log.MemoryLog;
import io.weir.transport.aeron.AeronContext;
import io.weir.transport.aeron.ExternalDriver;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whole jobs over a media driver in a process of its own, which may die under them. */
final class ExternalDriverJobTest {
    @TempDir
    private Path folder;

    private final MemoryLog input = MemoryLog.unbounded(2);
    private final MemoryLog output = MemoryLog.unbounded(1);
    private CheckpointStorage storage;

    @BeforeEach
    void shortenTheTimeout() {
        storage = new FileCheckpointStorage(folder.resolve("checkpoints"));
        System.setProperty(AeronContext.DRIVER_TIMEOUT_PROPERTY, "5s");
    }

    @AfterEach
    void restoreTheTimeout() {
        System.clearProperty(AeronContext.DRIVER_TIMEOUT_PROPERTY);
    }

    @Test
    void shouldRunCheckpointAndRecoverOverADriverOfItsOwnProcess() throws IOException {
        try (ExternalDriver driver = startDriver("aeron")) {
            // given: a job that has committed, and then fails once
            final AtomicInteger failures = new AtomicInteger(1);
            addValues(0, 4_000);
            try (Weir weir = launch(driver)) {
                final Job job = weir.run(pipeline(value -> {
                    if (value == 5_000 && failures.getAndDecrement() > 0) {
                        throw new IllegalStateException("planned");
                    }
                }));
                awaitAllCommitted();

                // when
                addValues(4_000, 8_000);

                // then
                awaitAllCommitted();
                assertEquals(1, job.status().restarts().size());
                assertTrue(job.status().restarts().get(0).restoredCheckpointId() > 0);
                assertTrue(job.status().restarts().get(0).cause().contains("planned"));
                job.cancel();
                assertEquals(JobState.CANCELLED, job.join());
            }
        }
    }

    @Test
    void shouldFailOnceAndLoseNothingWhenTheDriverIsKilled() throws IOException, InterruptedException {
        // given: a job that has committed and goes on reading
        addValues(0, 4_000);
        try (ExternalDriver driver = startDriver("first");
                Weir weir = launch(driver)) {
            final Job job = weir.run(pipeline(value -> {}));
            awaitAllCommitted();
            addValues(4_000, 40_000);

            // when
            driver.kill();

            // then: one error, and no thread waits for an answer that will not come
            final JobFailedException e = assertThrows(JobFailedException.class, job::join);
            assertTrue(e.getMessage().contains("media driver"), e.getMessage());
            assertEquals(JobState.FAILED, job.status().state());
            final JobFailedException again = assertThrows(
                    JobFailedException.class,
                    () -> weir.run(pipeline(value -> {})).join());
            assertTrue(again.getMessage().contains("the media driver or its client has ended"), again.getMessage());
        }

        // when: the same pipeline over another driver
        addValues(40_000, 42_000);
        try (ExternalDriver driver = startDriver("second");
                Weir weir = launch(driver)) {
            final Job job = weir.run(pipeline(value -> {}));

            // then
            awaitAllCommitted();
            assertTrue(job.status().restoredCheckpointId() > 0, job.status()::toString);
        }
    }

    private ExternalDriver startDriver(final String name) throws IOException {
        return ExternalDriver.start(Files.createDirectory(folder.resolve(name)));
    }

    private Weir launch(final ExternalDriver driver) {
        return Weir.launch(new Weir.Context()
                .workers(2)
                .aeronDirectory(driver.directory().toString())
                .errorHandler(error -> {})
                .checkpoints(Checkpoints.every(Duration.ofMillis(10)).in(storage)));
    }

    private Pipeline pipeline(final LongConsumer beforeCount) {
        final Pipeline pipeline = Pipeline.named("external").parallelism(2);
        pipeline.read(input, Codecs.longs())
                .map(value -> {
                    beforeCount.accept(value);
                    return value;
                })
                .codec(Codecs.longs())
                .keyByLong(value -> value % JobTest.KEYS)
                .process(new JobTest.Count())
                .codec(Codecs.strings())
                .write(output, Codecs.strings(), Delivery.EXACTLY_ONCE);
        return pipeline;
    }

    private void addValues(final long from, final long to) {
        final long middle = (from + to) / 2;
        JobTest.addValues(input, 0, from, middle);
        JobTest.addValues(input, 1, middle, to);
    }

    private void awaitAllCommitted() {
        JobTest.await(() -> JobTest.counted(output).equals(JobTest.expected(input)), "all of the input committed");
    }
}
