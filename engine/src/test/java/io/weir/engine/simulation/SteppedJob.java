package io.weir.engine.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.engine.api.Codec;
import io.weir.engine.barrier.BarrierSettings;
import io.weir.engine.coordinator.CheckpointSettings;
import io.weir.engine.status.JobState;
import io.weir.engine.status.JobStatus;
import io.weir.storage.checkpoint.CheckpointFolder;
import io.weir.storage.file.FileKind;
import io.weir.storage.file.SimulatedFileStore;
import io.weir.storage.snapshot.Manifest;
import io.weir.storage.snapshot.SegmentHandle;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A small job that takes the same steps in every run, up to the step of its disk at which a test interferes: two partitions, counted by
 * key in two tasks, written by two sinks in two phases, with checkpoints all the while.
 */
final class SteppedJob {
    private static final long BEGIN_NS = 1_700_000_000_000_000_000L;
    private static final Path JOB_FOLDER = Path.of("/checkpoints/" + Topology.JOB);
    private static final int CYCLES_PER_RECORD = 8;
    private static final int MAX_CYCLES = 20_000;

    private final SimulatedFileStore disk;
    private final Scenario scenario;
    private final SimulatedInput input;
    private SimulatedProcess process;
    private long nowNs = BEGIN_NS;
    private int cycles;
    private long newestCompleted;
    private boolean isResumed;

    SteppedJob(final long seed, final boolean hasPages, final int records) {
        disk = new SimulatedFileStore(seed);
        final List<Integer> lengths = List.of(records, records * 2 / 3);
        scenario = new Scenario(
                Topology.PIPELINE,
                8,
                List.of(0, 1, 2),
                List.of(1, 2, 2),
                false,
                2,
                List.of(lengths),
                hasPages,
                new CheckpointSettings(
                        TimeUnit.MILLISECONDS.toNanos(2), TimeUnit.SECONDS.toNanos(10), 0, 1, Integer.MAX_VALUE, 2),
                BarrierSettings.unaligned(0),
                0,
                0,
                Weights.draw(new SplittableRandom(seed)));
        input = new SimulatedInput(0, lengths);
        start();
    }

    SimulatedFileStore disk() {
        return disk;
    }

    JobStatus status() {
        return process.job().status();
    }

    /** A new process on what the disk has. */
    void start() {
        isResumed = false;
        process = new SimulatedProcess(
                scenario,
                Home.first(scenario.hasPages()),
                scenario.parallelism(),
                List.of(input),
                disk,
                new Fuse(),
                Seams.NONE,
                () -> nowNs);
    }

    /** The memory of a process is gone; what becomes of the disk is the caller's. */
    void bury() {
        newestCompleted = Math.max(newestCompleted, status().checkpoints().lastCompletedId());
        disk.die();
        process.dispose();
    }

    /** Goes on until the job has ended, the disk is dead, or something is so. */
    void runUntil(final BooleanSupplier isSo) {
        while (!process.job().isEnded() && !disk.isDead() && !isSo.getAsBoolean()) {
            assertTrue(cycles++ < MAX_CYCLES, () -> "the job stands still: " + status());
            if (cycles % CYCLES_PER_RECORD == 0) {
                input.show(0, 1);
                input.show(1, 1);
            }
            process.job().step();
            assertResumed();
            for (int worker = 0; worker < process.workerCount(); worker++) {
                process.work(worker);
            }
            while (process.waitingIo() > 0) {
                process.runIo(0);
            }
            nowNs += scenario.checkpoints().intervalNs() / 16;
        }
    }

    void runToTheEnd() {
        runUntil(() -> false);
    }

    boolean isRunning() {
        return status().state() == JobState.RUNNING;
    }

    /** A process goes on from what a former one knew to be complete, or from a checkpoint that it had not heard of yet. */
    private void assertResumed() {
        if (!isResumed && isRunning()) {
            isResumed = true;
            assertTrue(
                    status().restoredCheckpointId() >= newestCompleted,
                    () -> "checkpoint " + newestCompleted + " was completed, but " + status());
            newestCompleted = status().restoredCheckpointId();
        }
    }

    /** It has finished without a restart, with the output of a job that nothing happened to, and its disk holds nothing else. */
    void assertExactAndTidy() {
        assertEquals(
                JobState.FINISHED, status().state(), () -> "" + process.job().failure());
        assertEquals(List.of(), status().restarts());
        assertNull(Model.difference(scenario, List.of(input), written()));
        process.dispose();
        assertNoOrphans();
    }

    private List<Row> written() {
        final Codec<Row> codec = Topology.Parts.ROWS.forTask();
        final List<Row> rows = new ArrayList<>();
        for (final byte[] record : SimulatedOutput.committed(disk, SimulatedProcess.outputFolder(0))) {
            rows.add(codec.decode(new UnsafeBuffer(record), 0, record.length));
        }
        return rows;
    }

    private void assertNoOrphans() {
        for (final String file : disk.list(SimulatedProcess.outputFolder(0))) {
            assertTrue(file.endsWith(".committed"), () -> "left behind in the output: " + file);
        }
        final CheckpointFolder folder = CheckpointFolder.at(disk, JOB_FOLDER);
        final Set<Path> needed = new HashSet<>();
        assertNotEquals(List.of(), folder.checkpoints());
        for (final long id : folder.checkpoints()) {
            assertTrue(folder.isCompleted(id), () -> "half a checkpoint is left: " + id);
            final Manifest manifest = folder.load(id);
            for (final Manifest.TaskPart task : manifest.tasks()) {
                if (task.segment() != null) {
                    needed.add(folder.path(manifest, task.segment()));
                }
                for (final SegmentHandle segment : task.shared()) {
                    needed.add(folder.path(manifest, segment));
                }
            }
        }
        final Set<Path> there = new HashSet<>();
        collectSegments(JOB_FOLDER, there);
        assertEquals(needed, there);
    }

    private void collectSegments(final Path path, final Set<Path> segments) {
        if (disk.kind(path) == FileKind.DIRECTORY) {
            disk.list(path).forEach(name -> collectSegments(path.resolve(name), segments));
        } else if (path.toString().endsWith(".segment") || path.toString().endsWith(".pages")) {
            segments.add(path);
        } else {
            assertTrue(!path.toString().contains(".tmp"), () -> "left behind: " + path);
        }
    }
}
