package io.weir.engine.operator;

import java.util.List;

/** Takes an operator's part of a snapshot at the cut. Task thread, during {@link Operator#snapshot} only. */
public interface OperatorSnapshot {
    /**
     * The checkpoint.
     *
     * @return its id.
     */
    long checkpointId();

    /**
     * Keeps list state of the operator; on a change of parallelism its elements are spread over the subtasks.
     *
     * @param name unique within the operator.
     * @param elements opaque bytes, not changed afterwards.
     */
    void listState(String name, List<byte[]> elements);

    /**
     * Keeps broadcast state of the operator, which every subtask has whole; on a change of parallelism each subtask gets that of one
     * of them.
     *
     * @param name unique among the operator's broadcast states.
     * @param elements opaque bytes, not changed afterwards.
     */
    void broadcastState(String name, List<byte[]> elements);

    /**
     * Has something done on an I/O thread before the task acknowledges, such as forcing a prepared transaction to disk. If it
     * throws, the checkpoint is declined.
     *
     * @param action that may block.
     */
    void beforeAcknowledge(IoAction action);
}
