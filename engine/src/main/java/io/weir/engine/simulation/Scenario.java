package io.weir.engine.simulation;

import io.weir.engine.barrier.BarrierSettings;
import io.weir.engine.barrier.CheckpointingMode;
import io.weir.engine.coordinator.CheckpointSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;

/**
 * What a seed makes of a run before its first step.
 *
 * @param topology of the job.
 * @param maxParallelism number of key groups.
 * @param groups of each stage: stages of one group have the same parallelism, others not.
 * @param parallelism of each stage in the first process.
 * @param hasRescaling whether later processes may have another parallelism.
 * @param workers that the tasks are spread over; more than tasks gives each task one of its own.
 * @param lengths records in each partition of each input.
 * @param hasPages whether keyed state lives in pages, else on the heap.
 * @param checkpoints when and how many.
 * @param barriers how they treat what is in flight.
 * @param restartDelayNs before each restart.
 * @param chaosSteps until all faults end.
 * @param weights how often each step comes.
 */
record Scenario(
        Topology topology,
        int maxParallelism,
        List<Integer> groups,
        List<Integer> parallelism,
        boolean hasRescaling,
        int workers,
        List<List<Integer>> lengths,
        boolean hasPages,
        CheckpointSettings checkpoints,
        BarrierSettings barriers,
        long restartDelayNs,
        int chaosSteps,
        Weights weights) {
    private static final List<Topology> TOPOLOGIES = List.of(Topology.values());
    static final int MAX_PARALLELISM = 5;
    private static final int[] KEY_GROUPS = {5, 8, 16};
    private static final int MAX_PARTITIONS = 5;
    private static final int MAX_RECORDS = 40;
    private static final int MAX_SLICE = 512;
    private static final int MAX_LIMIT = 2_048;
    private static final int MIN_STEPS = 400;
    private static final int MAX_STEPS = 3_000;

    static Scenario draw(final SplittableRandom random) {
        final Topology topology = TOPOLOGIES.get(random.nextInt(TOPOLOGIES.size()));
        final List<Integer> groups = groups(random, topology);
        final CheckpointSettings checkpoints = checkpoints(random);
        return new Scenario(
                topology,
                KEY_GROUPS[random.nextInt(KEY_GROUPS.length)],
                groups,
                drawParallelism(random, groups),
                random.nextInt(3) == 0,
                random.nextBoolean() ? 1 + random.nextInt(3) : Integer.MAX_VALUE,
                lengths(random, topology),
                random.nextInt(3) > 0,
                checkpoints,
                barriers(random, checkpoints),
                random.nextInt(4) == 0 ? 0 : random.nextLong(TimeUnit.MILLISECONDS.toNanos(5)),
                MIN_STEPS + random.nextInt(MAX_STEPS - MIN_STEPS),
                Weights.draw(random));
    }

    /** Stages that are alike have forward edges and chains. */
    private static List<Integer> groups(final SplittableRandom random, final Topology topology) {
        final List<Integer> groups = new ArrayList<>();
        for (int stage = 0; stage < topology.stages(); stage++) {
            groups.add(random.nextBoolean() ? 0 : random.nextInt(MAX_PARALLELISM));
        }
        return groups;
    }

    /** Another parallelism, in which the same stages are alike, so that the chains stay as they are. */
    List<Integer> drawParallelism(final SplittableRandom random) {
        return drawParallelism(random, groups);
    }

    private static List<Integer> drawParallelism(final SplittableRandom random, final List<Integer> groups) {
        final List<Integer> ofGroup = new ArrayList<>();
        for (int i = 1; i <= MAX_PARALLELISM; i++) {
            ofGroup.add(random.nextInt(i), i);
        }
        return groups.stream().map(ofGroup::get).toList();
    }

    private static List<List<Integer>> lengths(final SplittableRandom random, final Topology topology) {
        final List<List<Integer>> lengths = new ArrayList<>();
        for (int input = 0; input < topology.inputs(); input++) {
            final List<Integer> ofInput = new ArrayList<>();
            for (int partition = random.nextInt(MAX_PARTITIONS); partition >= 0; partition--) {
                ofInput.add(random.nextInt(MAX_RECORDS));
            }
            lengths.add(ofInput);
        }
        return lengths;
    }

    private static CheckpointSettings checkpoints(final SplittableRandom random) {
        return new CheckpointSettings(
                TimeUnit.MICROSECONDS.toNanos(500 + random.nextInt(20_000)),
                TimeUnit.MILLISECONDS.toNanos(20 + random.nextInt(400)),
                random.nextBoolean() ? 0 : TimeUnit.MICROSECONDS.toNanos(random.nextInt(5_000)),
                1 + random.nextInt(3),
                random.nextInt(3) == 0 ? random.nextInt(3) : Integer.MAX_VALUE,
                1 + random.nextInt(2));
    }

    private static BarrierSettings barriers(final SplittableRandom random, final CheckpointSettings checkpoints) {
        final BarrierSettings drawn = switch (random.nextInt(5)) {
            case 0 -> BarrierSettings.aligned();
            case 1 -> BarrierSettings.atLeastOnce();
            case 2 -> BarrierSettings.unaligned(0);
            default -> BarrierSettings.unaligned(random.nextLong(TimeUnit.MILLISECONDS.toNanos(20)));
        };
        // Small slices make captures that go on while records are processed.
        final int sliceLength = random.nextBoolean() ? drawn.captureSliceLength() : 1 + random.nextInt(MAX_SLICE);
        // Past the limit a checkpoint fails, which a job that tolerates no failure meets again after each restart.
        final boolean hasLimit = random.nextInt(8) == 0 && checkpoints.tolerableFailures() == Integer.MAX_VALUE;
        final long limit = hasLimit ? random.nextInt(MAX_LIMIT) : Long.MAX_VALUE;
        return new BarrierSettings(drawn.mode(), drawn.unaligned(), drawn.alignmentTimeoutNs(), limit, sliceLength);
    }

    boolean isExactlyOnce() {
        return barriers.mode() == CheckpointingMode.EXACTLY_ONCE;
    }

    @Override
    public String toString() {
        return topology + ", parallelism " + parallelism + (hasRescaling ? " at first, " : ", ") + barriers + ", "
                + (hasPages ? "pages" : "heap") + ", workers "
                + (workers == Integer.MAX_VALUE ? "one per task" : workers)
                + ", records " + lengths + ", " + checkpoints;
    }
}
