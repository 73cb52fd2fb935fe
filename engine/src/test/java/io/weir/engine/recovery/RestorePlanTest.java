package io.weir.engine.recovery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.engine.graph.PhysicalPlan;
import io.weir.engine.graph.Planner;
import io.weir.storage.checkpoint.CheckpointStore;
import io.weir.storage.checkpoint.MemoryCheckpointStorage;
import io.weir.storage.log.MemoryLog;
import io.weir.storage.page.PagesStateBackend;
import io.weir.storage.snapshot.Manifest;
import io.weir.storage.snapshot.Manifest.TaskPart;
import io.weir.storage.snapshot.SegmentHandle;
import io.weir.storage.snapshot.SegmentWriter;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What fits into a job and what does not; the job has the chains {@code in, map} and {@code count, out}, two tasks each. */
final class RestorePlanTest {
    private static final int MAX_PARALLELISM = 128;

    private final CheckpointStore store = new MemoryCheckpointStorage().open("small");
    private final PhysicalPlan plan =
            Planner.plan(DeployedTasks.pipeline(MemoryLog.unbounded(2), MemoryLog.unbounded(1), value -> value, 2));

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void shouldBeginEmptyWithoutACheckpoint() {
        assertEquals(0, RestorePlan.newest(store, plan, new PagesStateBackend()).checkpointId());
    }

    @Test
    void shouldTakeTheNewest() {
        // given
        publish(3, MAX_PARALLELISM, part(3, "in", List.of("in", "map"), 2));
        publish(5, MAX_PARALLELISM, part(5, "in", List.of("in", "map"), 2));

        // then
        assertEquals(5, RestorePlan.newest(store, plan, new PagesStateBackend()).checkpointId());
    }

    @Test
    void shouldTellWhetherTheCheckpointHasNothingLeftToDo() {
        assertFalse(RestorePlan.newest(store, plan, new PagesStateBackend()).isFinished());
        publish(3, MAX_PARALLELISM, part(3, "in", List.of("in", "map"), 2));
        assertFalse(RestorePlan.newest(store, plan, new PagesStateBackend()).isFinished());
    }

    /** FC-131. */
    @Test
    void shouldRefuseAnotherNumberOfKeyGroups() {
        publish(1, 64, part(1, "in", List.of("in", "map"), 2));
        refuse("checkpoint 1 of job small has maxParallelism=64, the job has 128");
    }

    @Test
    void shouldTakeAnotherParallelism() {
        publish(1, MAX_PARALLELISM, part(1, "count", List.of("count", "out"), 4));
        assertEquals(1, RestorePlan.newest(store, plan, new PagesStateBackend()).checkpointId());
    }

    /** FC-133. */
    @Test
    void shouldRefuseStateOfAnOperatorThatIsGone() {
        publish(1, MAX_PARALLELISM, part(1, "other", List.of("other", "another"), 2));
        refuse("has state of operators [another, other] that the job does not have; its operators are "
                + "[count, in, map, out]");
    }

    /** FC-133. */
    @Test
    void shouldTakeItWhereThatIsAllowed() {
        publish(1, MAX_PARALLELISM, part(1, "other", List.of("other", "map"), 2));
        refuse("has state of operators [other] that the job does not have");
        assertEquals(
                1,
                RestorePlan.newest(store, plan, new PagesStateBackend(), new RestoreOptions(true, false))
                        .checkpointId());
    }

    /** FC-132. */
    @Test
    void shouldTakeOperatorsThatStoodInAnotherChain() {
        publish(1, MAX_PARALLELISM, part(1, "map", List.of("map"), 2));
        assertEquals(1, RestorePlan.newest(store, plan, new PagesStateBackend()).checkpointId());
    }

    @Test
    void shouldRefuseToJoinFinishedOperatorsWithOthers() {
        publish(1, part(1, "in", List.of("in"), 1, true), part(1, "map", List.of("map"), 1, false));
        refuse("the operators [in, map] are one chain now, but of the tasks that they were in, [in, map], some had"
                + " finished and others had not");
    }

    @Test
    void shouldRefuseANewOperatorAmongFinishedOnes() {
        publish(1, part(1, "in", List.of("in"), 1, true));
        refuse("or are new");
    }

    @Test
    void shouldRefuseANewSenderToWhatHasFinished() {
        publish(1, part(1, "in", List.of("in"), 1, false), part(1, "count", List.of("count", "out"), 1, true));
        refuse("had finished, but");
    }

    @Test
    void shouldTakeWhoWaitsForItsLastCheckpointWhenItsReceiverHasFinished() {
        publish(1, part(1, "in", List.of("in", "map"), 1, false), part(1, "count", List.of("count", "out"), 1, true));
        assertEquals(1, RestorePlan.newest(store, plan, new PagesStateBackend()).checkpointId());
    }

    @Test
    void shouldTakeFinishedOperatorsTogether() {
        publish(
                1,
                part(1, "in", List.of("in"), 1, true),
                part(1, "map", List.of("map"), 1, true),
                part(1, "count", List.of("count", "out"), 1, true));
        assertTrue(RestorePlan.newest(store, plan, new PagesStateBackend()).isFinished());
    }

    private void refuse(final String message) {
        final RecoveryException e =
                assertThrows(RecoveryException.class, () -> RestorePlan.newest(store, plan, new PagesStateBackend()));
        assertTrue(e.getMessage().contains(message), e.getMessage());
    }

    private void publish(final long checkpointId, final TaskPart... parts) {
        store.publish(
                new Manifest("small", checkpointId, 1, 0, MAX_PARALLELISM, PagesStateBackend.NAME, List.of(parts)));
    }

    private void publish(final long checkpointId, final int maxParallelism, final TaskPart part) {
        store.publish(new Manifest("small", checkpointId, 1, 0, maxParallelism, PagesStateBackend.NAME, List.of(part)));
    }

    private TaskPart part(
            final long checkpointId, final String vertexUid, final List<String> operatorUids, final int parallelism) {
        return part(checkpointId, vertexUid, operatorUids, parallelism, false);
    }

    private TaskPart part(
            final long checkpointId,
            final String vertexUid,
            final List<String> operatorUids,
            final int parallelism,
            final boolean finished) {
        final SegmentHandle handle;
        try (SegmentWriter writer = store.createSegment(checkpointId, vertexUid)) {
            handle = writer.finish();
        }
        return new TaskPart(vertexUid, operatorUids, 0, parallelism, finished, handle, List.of());
    }
}
