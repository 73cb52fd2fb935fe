package io.weir.engine;

import static io.weir.engine.JobTest.addValues;
import static io.weir.engine.JobTest.await;
import static io.weir.engine.JobTest.counted;
import static io.weir.engine.JobTest.expected;
import static io.weir.engine.JobTest.records;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.engine.api.Aggregates;
import io.weir.engine.api.CheckpointException;
import io.weir.engine.api.CheckpointedFunction;
import io.weir.engine.api.Checkpoints;
import io.weir.engine.api.Codecs;
import io.weir.engine.api.Collector;
import io.weir.engine.api.Delivery;
import io.weir.engine.api.KeyedProcessContext;
import io.weir.engine.api.KeyedProcessFunction;
import io.weir.engine.api.KeyedStates;
import io.weir.engine.api.LongState;
import io.weir.engine.api.OperatorStates;
import io.weir.engine.api.Pipeline;
import io.weir.engine.api.ProcessContext;
import io.weir.engine.api.ProcessFunction;
import io.weir.engine.api.RestartStrategy;
import io.weir.engine.api.Restore;
import io.weir.engine.api.SavepointFormat;
import io.weir.engine.api.StopMode;
import io.weir.engine.api.Stream;
import io.weir.engine.api.Tumbling;
import io.weir.engine.status.JobState;
import io.weir.storage.log.MemoryLog;
import io.weir.storage.page.PagesStateBackend;
import io.weir.storage.state.HeapStateBackend;
import io.weir.storage.state.StateBackend;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Jobs that are asked for savepoints, stopped behind them, and begun from them by changed pipelines. */
final class SavepointJobTest {
    private static final int SEVEN = 7;

    private final MemoryLog input = MemoryLog.unbounded(2);
    private final MemoryLog output = MemoryLog.unbounded(1);

    @TempDir
    private Path folder;

    @ParameterizedTest
    @EnumSource(SavepointFormat.class)
    void shouldTakeASavepointThatCommitsNothingAndGoOnFc125(final SavepointFormat format) throws Exception {
        // given
        addValues(input, 0, 0, 3_000);
        try (Weir weir = Weir.launch(context("a", new PagesStateBackend()))) {
            final Job job = weir.run(counting(2, false));
            await(() -> records(job) == 3_000, "all input read");

            // when
            final Path savepoint = get(job.savepoint(folder.resolve("mine"), format));

            // then: it is there, and nothing of it can be seen
            assertTrue(Files.exists(savepoint.resolve("manifest")), savepoint::toString);
            assertEquals(folder.resolve("mine"), savepoint.getParent());
            assertEquals(List.of(), output.records(0));
            assertEquals(0, job.status().checkpoints().completed());

            // the next checkpoint commits what came before both
            assertTrue(get(job.triggerCheckpoint()) > 1);
            await(() -> counted(output).equals(expected(input)), "the checkpoint commits");
            job.cancel();
            job.join();
            assertTrue(Files.exists(savepoint.resolve("manifest")), savepoint::toString);
        }
    }

    @ParameterizedTest
    @CsvSource({"CANONICAL, SUSPEND", "NATIVE, SUSPEND", "CANONICAL, DRAIN", "NATIVE, DRAIN"})
    void shouldStopBehindASavepointWhateverIsInFlightFc153(final SavepointFormat format, final StopMode mode)
            throws Exception {
        // given: a job in the middle of its input
        addValues(input, 0, 0, 200_000);
        addValues(input, 1, 200_000, 300_000);
        final long seen;
        try (Weir weir = Weir.launch(context("a", new PagesStateBackend()))) {
            final Job job = weir.run(counting(2, false));
            await(() -> records(job) > 1_000, "some input read");

            // when
            final CompletableFuture<Path> stopped = job.stopWithSavepoint(null, format, mode);
            assertEquals(JobState.STOPPED, job.join());
            final Path savepoint = get(stopped);

            // then: all that was read has been committed
            assertTrue(savepoint.startsWith(folder.resolve("a")), savepoint::toString);
            seen = output.records(0).size();
            assertTrue(seen > 1_000, "records " + seen);
            assertEquals(0, output.pendingTransactions());
            job.triggerCheckpoint()
                    .handle((id, failure) -> {
                        assertEquals(
                                "job count has ended: STOPPED",
                                failure.getCause().getMessage());
                        return id;
                    })
                    .get(1, TimeUnit.MINUTES);
        }

        // and: the job goes on from there, or has nothing left to do
        try (Weir weir = Weir.launch(context("a", new PagesStateBackend()))) {
            final Job job = weir.run(counting(2, false));
            if (mode == StopMode.DRAIN) {
                assertEquals(JobState.FINISHED, job.join());
                assertEquals(seen, output.records(0).size());
            } else {
                await(() -> records(job) == 300_000 - seen, "the rest read");
                get(job.triggerCheckpoint());
                await(() -> output.records(0).size() == 300_000, "the rest committed");
                assertEquals(expected(input), counted(output));
            }
        }
    }

    @Test
    void shouldCloseWindowsInADrainAndNotInASuspendFc151() throws Exception {
        addValues(input, 0, 0, 1_000);
        assertEquals(0, windowsAfter(StopMode.SUSPEND));
        assertEquals(SEVEN, windowsAfter(StopMode.DRAIN));
    }

    private int windowsAfter(final StopMode mode) throws Exception {
        final MemoryLog windows = MemoryLog.unbounded(1);
        final Pipeline pipeline = Pipeline.named("windows-" + mode);
        pipeline.read(input, Codecs.longs())
                .eventTime(value -> 1_000 + value, Duration.ZERO)
                .keyByLong(value -> value % SEVEN)
                .window(Tumbling.of(Duration.ofHours(1)))
                .aggregate(Aggregates.count(), (key, window, count) -> key + ":" + count)
                .codec(Codecs.strings())
                .write(windows, Codecs.strings(), Delivery.EXACTLY_ONCE);
        try (Weir weir = Weir.launch(context("windows", new PagesStateBackend()))) {
            final Job job = weir.run(pipeline);
            await(() -> records(job) == 1_000, "all input read");
            get(job.stopWithSavepoint(null, SavepointFormat.CANONICAL, mode));
        }
        return windows.records(0).size();
    }

    @Test
    void shouldGoOnWhenTheSavepointOfAStopHasNoPlaceFc154() throws Exception {
        // given
        Files.writeString(folder.resolve("taken"), "a file");
        addValues(input, 0, 0, 3_000);
        try (Weir weir = Weir.launch(context("a", new PagesStateBackend()))) {
            final Job job = weir.run(counting(1, false));
            await(() -> records(job) == 3_000, "all input read");

            // when
            final CheckpointException failure = failure(
                    job.stopWithSavepoint(folder.resolve("taken"), SavepointFormat.CANONICAL, StopMode.SUSPEND));

            // then
            assertTrue(failure.getMessage().contains("taken"), failure::getMessage);
            assertTrue(job.hasStopFailed());
            assertEquals(JobState.RUNNING, job.status().state());
            addValues(input, 0, 3_000, 4_000);
            await(() -> records(job) == 4_000, "the job goes on");
            assertEquals(0, job.status().restarts().size());
            get(job.stopWithSavepoint(null, SavepointFormat.CANONICAL, StopMode.SUSPEND));
            assertEquals(expected(input), counted(output));
        }
    }

    @ParameterizedTest
    @EnumSource(StopMode.class)
    void shouldGoOnWhenTheSavepointOfAStopCantBeWrittenFc154Fc158(final StopMode mode) throws Exception {
        // given: something stands where the manifest is to be
        addValues(input, 0, 0, 3_000);
        InTheWay.directory = folder.resolve("mine");
        final Pipeline pipeline = Pipeline.named("obstructed");
        pipeline.read(input, Codecs.longs())
                .keyByLong(value -> value % JobTest.KEYS)
                .process(new JobTest.Count())
                .codec(Codecs.strings())
                .process(new InTheWay())
                .codec(Codecs.strings())
                .write(output, Codecs.strings(), Delivery.EXACTLY_ONCE);
        try (Weir weir = Weir.launch(context("a", new PagesStateBackend()))) {
            final Job job = weir.run(pipeline);
            await(() -> records(job) == 3_000, "all input read");

            // when
            final CheckpointException failure =
                    failure(job.stopWithSavepoint(InTheWay.directory, SavepointFormat.CANONICAL, mode));

            // then: a suspended job takes up its work, a drained one has to begin anew
            assertTrue(failure.getMessage().contains("manifest"), failure::getMessage);
            addValues(input, 1, 3_000, 4_000);
            await(() -> records(job) == 4_000, "the job goes on");
            assertEquals(mode == StopMode.DRAIN ? 1 : 0, job.status().restarts().size());
            assertEquals(List.of(), output.records(0));
            job.stop();
            assertEquals(JobState.STOPPED, job.join());
            assertEquals(expected(input), counted(output));
        }
    }

    @Test
    void shouldFailAStopWhoseCommitFailsAndGoOnFromItsSavepointFc155() throws Exception {
        // given: the savepoint will be there, but what it holds can't be committed at once
        addValues(input, 0, 0, 3_000);
        try (Weir weir = Weir.launch(
                context("a", new PagesStateBackend()).restartStrategy(RestartStrategy.fixedDelay(1, Duration.ZERO)))) {
            final Job job = weir.run(counting(1, false));
            await(() -> records(job) == 3_000, "all input read");
            output.failCommitAfter(0);

            // when
            final Path mine = folder.resolve("mine");
            final CheckpointException failure =
                    failure(job.stopWithSavepoint(mine, SavepointFormat.CANONICAL, StopMode.SUSPEND));

            // then: the job goes on from it, and it is nobody's to delete
            assertTrue(
                    failure.getMessage().contains("it failed before it had stopped, behind savepoint " + folder),
                    failure::getMessage);
            await(() -> job.status().state() == JobState.RUNNING, "the job goes on");
            assertEquals(1, job.status().restarts().size());
            assertTrue(job.status().restoredCheckpointId() > 0, job.status()::toString);
            assertEquals(expected(input), counted(output));
            addValues(input, 0, 3_000, 4_000);
            await(() -> records(job) == 1_000, "the rest read");
            job.stop();
            assertEquals(JobState.STOPPED, job.join());
            assertEquals(expected(input), counted(output));
            try (DirectoryStream<Path> savepoints = Files.newDirectoryStream(mine)) {
                assertTrue(Files.exists(savepoints.iterator().next().resolve("manifest")));
            }
        }
    }

    @Test
    void shouldRefuseASecondStopWhileOneIsUnderWay() throws Exception {
        addValues(input, 0, 0, 300_000);
        try (Weir weir = Weir.launch(context("a", new PagesStateBackend()))) {
            final Job job = weir.run(counting(1, false));
            await(() -> records(job) > 1_000, "some input read");
            final CompletableFuture<Path> first =
                    job.stopWithSavepoint(null, SavepointFormat.CANONICAL, StopMode.SUSPEND);
            final CompletableFuture<Path> second =
                    job.stopWithSavepoint(null, SavepointFormat.CANONICAL, StopMode.SUSPEND);

            assertTrue(failure(second).getMessage().contains("it is stopping"));
            assertTrue(Files.exists(get(first).resolve("manifest")));
            assertEquals(JobState.STOPPED, job.join());
        }
    }

    @Test
    void shouldNeedNothingOfASavepointOnceTheJobHasBegunFc113() throws Exception {
        // given: a savepoint that was moved
        addValues(input, 0, 0, 3_000);
        final Path savepoint = stopped("a", counting(2, false), new PagesStateBackend(), Restore.newest(), 3_000);
        final Path moved = Files.move(savepoint, folder.resolve("moved"));
        addValues(input, 0, 3_000, 4_000);

        // when: a job begins from it, elsewhere, and it is deleted before the first checkpoint
        try (Weir weir = Weir.launch(context("b", new PagesStateBackend()))) {
            final Job job = weir.run(counting(2, false), Restore.from(moved));
            await(() -> records(job) == 1_000, "the rest read");
            deleteTree(moved);
            job.cancel();
            job.join();
        }

        // then: run with the same words it goes on
        try (Weir weir = Weir.launch(context("b", new PagesStateBackend()))) {
            final Job job = weir.run(counting(2, false), Restore.from(moved));
            await(() -> records(job) == 1_000, "the rest read again");
            get(job.triggerCheckpoint());
            await(() -> counted(output).equals(expected(input)), "committed");
        }
    }

    @Test
    void shouldDeleteAClaimedSavepointFc113() throws Exception {
        addValues(input, 0, 0, 3_000);
        final Path savepoint = stopped("a", counting(2, false), new PagesStateBackend(), Restore.newest(), 3_000);
        addValues(input, 0, 3_000, 4_000);
        final Restore restore = Restore.from(savepoint).claim();

        stopped("b", counting(2, false), new PagesStateBackend(), restore, 1_000);

        assertFalse(Files.exists(savepoint), savepoint::toString);
        assertEquals(expected(input), counted(output));
    }

    @Test
    void shouldLeaveASavepointToItsOwnerThatIsClaimedAndRefused() throws Exception {
        addValues(input, 0, 0, 3_000);
        final Path savepoint = stopped("a", counting(2, true), new PagesStateBackend(), Restore.newest(), 3_000);

        try (Weir weir = Weir.launch(context("b", new PagesStateBackend()))) {
            assertThrows(
                    JobFailedException.class,
                    () -> weir.run(counting(2, false), Restore.from(savepoint).claim())
                            .join());
        }

        assertTrue(Files.exists(savepoint.resolve("manifest")), savepoint::toString);
    }

    @Test
    void shouldRefuseToClaimASavepointForCheckpointsInMemory() throws Exception {
        addValues(input, 0, 0, 3_000);
        final Path savepoint = stopped("a", counting(1, false), new PagesStateBackend(), Restore.newest(), 3_000);

        try (Weir weir = Weir.launch(new Weir.Context())) {
            final IllegalArgumentException e = assertThrows(
                    IllegalArgumentException.class,
                    () -> weir.run(counting(1, false), Restore.from(savepoint).claim()));
            assertTrue(e.getMessage().contains("in memory"), e.getMessage());
        }

        assertTrue(Files.exists(savepoint.resolve("manifest")), savepoint::toString);
    }

    @ParameterizedTest
    @EnumSource(StopMode.class)
    void shouldTellHowItWasStoppedWhateverWasAskedForLater(final StopMode first) throws Exception {
        addValues(input, 0, 0, 200_000);
        try (Weir weir = Weir.launch(context("a", new PagesStateBackend()))) {
            final Job job = weir.run(counting(1, false));
            await(() -> records(job) > 1_000, "some input read");

            job.stop(first);
            job.stop(first == StopMode.DRAIN ? StopMode.SUSPEND : StopMode.DRAIN);

            assertEquals(JobState.STOPPED, job.join());
            assertEquals(first == StopMode.DRAIN, job.isDrained());
        }
    }

    @Test
    void shouldTakeSavepointsBesideCheckpoints() throws Exception {
        addValues(input, 0, 0, 300_000);
        try (Weir weir = Weir.launch(context("a", new PagesStateBackend()))) {
            final Job job = weir.run(counting(2, false));
            await(() -> records(job) > 1_000, "some input read");
            final List<CompletableFuture<?>> asked = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                asked.add(job.savepoint(null, SavepointFormat.CANONICAL));
                asked.add(job.triggerCheckpoint());
            }
            for (final CompletableFuture<?> each : asked) {
                get(each);
            }
        }
    }

    @Test
    void shouldFailAtOnceWithoutTheSavepointFc162() throws Exception {
        try (Weir weir = Weir.launch(context("a", new PagesStateBackend())
                .restartStrategy(RestartStrategy.fixedDelay(1_000, Duration.ZERO)))) {
            final Job job = weir.run(counting(1, false), Restore.from(folder.resolve("nothing")));

            final JobFailedException failure = assertThrows(JobFailedException.class, job::join);

            assertTrue(failure.getMessage().contains("nothing"), failure::getMessage);
            assertEquals(0, job.status().restarts().size());
        }
    }

    @Test
    void shouldRefuseStateThatNobodyAsksForUnlessItIsAllowedFc133() throws Exception {
        // given: a savepoint with a state more than the pipeline has
        addValues(input, 0, 0, 3_000);
        final Path savepoint = stopped("a", counting(2, true), new PagesStateBackend(), Restore.newest(), 3_000);
        addValues(input, 0, 3_000, 4_000);

        // when
        try (Weir weir = Weir.launch(context("b", new PagesStateBackend()))) {
            final JobFailedException failure = assertThrows(
                    JobFailedException.class,
                    () -> weir.run(counting(2, false), Restore.from(savepoint)).join());
            assertTrue(failure.getMessage().contains("[again]"), failure::getMessage);
            assertTrue(failure.getMessage().contains("allowUnmatchedState"), failure::getMessage);
        }

        // then
        stopped(
                "c",
                counting(2, false),
                new PagesStateBackend(),
                Restore.from(savepoint).allowUnmatchedState(),
                1_000);
        assertEquals(expected(input), counted(output));
    }

    /** KAFKA-5986 too: an operator that the savepoint has nothing of begins empty, and its restore ends. */
    @ParameterizedTest
    @CsvSource({"heap, pages", "pages, heap"})
    void shouldUpgradeThroughSavepointsExactlyFc132(final String first, final String second) throws Exception {
        // given: each stage has another parallelism, another backend or another pipeline
        int values = 3_000;
        addValues(input, 0, 0, values);
        Path savepoint = stopped("1", counting(1, false), backend(first), Restore.newest(), values);
        final List<Stage> stages = List.of(
                new Stage(3, false, second),
                new Stage(2, true, first),
                new Stage(1, true, second),
                new Stage(3, false, second),
                new Stage(2, false, first));

        // when
        for (final Stage stage : stages) {
            addValues(input, values / 1_000 % 2, values, values + 1_000);
            values += 1_000;
            savepoint = stopped(
                    "stage-" + values,
                    counting(stage.parallelism, stage.hasSecond),
                    backend(stage.backend),
                    Restore.from(savepoint).allowUnmatchedState(),
                    1_000);
        }

        // then
        assertEquals(expected(input), counted(output));
    }

    private record Stage(int parallelism, boolean hasSecond, String backend) {}

    private static StateBackend backend(final String name) {
        return name.equals("heap") ? new HeapStateBackend() : new PagesStateBackend();
    }

    /** Runs a job until it has read so much more, and stops it behind a savepoint. */
    private Path stopped(
            final String place,
            final Pipeline pipeline,
            final StateBackend backend,
            final Restore restore,
            final long newRecords)
            throws Exception {
        try (Weir weir = Weir.launch(context(place, backend))) {
            final Job job = weir.run(pipeline, restore);
            await(() -> records(job) == newRecords || job.status().state().isTerminal(), "all input read");
            return get(job.stopWithSavepoint(null, SavepointFormat.CANONICAL, StopMode.SUSPEND));
        }
    }

    private Weir.Context context(final String place, final StateBackend backend) {
        return new Weir.Context()
                .workers(2)
                .stateBackend(backend)
                .checkpoints(Checkpoints.every(Duration.ofDays(1)).in(folder.resolve(place)));
    }

    /** Counts by key; with a second stateful operator in front, which changes nothing, if it is wanted. */
    private Pipeline counting(final int parallelism, final boolean hasSecond) {
        final Pipeline pipeline = Pipeline.named("count").parallelism(parallelism);
        Stream<Long> values = pipeline.read(input, Codecs.longs()).uid("read");
        if (hasSecond) {
            values = values.keyByLong(value -> value % 5)
                    .process(new Passing())
                    .uid("again")
                    .codec(Codecs.longs());
        }
        values.keyByLong(value -> value % JobTest.KEYS)
                .process(new JobTest.Count())
                .uid("count")
                .codec(Codecs.strings())
                .write(output, Codecs.strings(), Delivery.EXACTLY_ONCE)
                .uid("write");
        return pipeline;
    }

    /** Passes on what it gets, and counts it in a state of its own. */
    private static final class Passing implements KeyedProcessFunction<Long, Long, Long> {
        private static final long serialVersionUID = 1L;

        private transient LongState seen;

        @Override
        public void open(final KeyedStates states) {
            seen = states.longState("seen");
        }

        @Override
        public void process(final Long value, final KeyedProcessContext<Long> context, final Collector<Long> out)
                throws Exception {
            seen.set(seen.get(0) + 1);
            out.collect(value);
        }
    }

    /** Makes a folder where a savepoint's manifest is to be. */
    private static final class InTheWay implements ProcessFunction<String, String>, CheckpointedFunction {
        private static final long serialVersionUID = 1L;

        /** Functions are copied by serialization, so it is found here. */
        private static Path directory;

        @Override
        public void process(final String value, final ProcessContext context, final Collector<String> out)
                throws Exception {
            out.collect(value);
        }

        @Override
        public void initialize(final OperatorStates states) {
            // It has none.
        }

        @Override
        public void snapshot(final long checkpointId) throws IOException {
            try (DirectoryStream<Path> savepoints = Files.newDirectoryStream(directory)) {
                for (final Path savepoint : savepoints) {
                    Files.createDirectories(savepoint.resolve("manifest").resolve("in the way"));
                }
            } catch (final NoSuchFileException e) {
                assertFalse(Files.exists(directory), e::toString);
            }
        }
    }

    private static <T> T get(final CompletableFuture<T> future) throws Exception {
        return future.get(1, TimeUnit.MINUTES);
    }

    private static CheckpointException failure(final CompletableFuture<?> future) {
        final ExecutionException e = assertThrows(ExecutionException.class, () -> future.get(1, TimeUnit.MINUTES));
        return (CheckpointException) e.getCause();
    }

    private static void deleteTree(final Path root) throws IOException {
        try (java.util.stream.Stream<Path> all = Files.walk(root)) {
            for (final Path path :
                    all.sorted(java.util.Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
