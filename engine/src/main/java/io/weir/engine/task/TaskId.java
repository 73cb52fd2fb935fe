package io.weir.engine.task;

/**
 * Names a task.
 *
 * @param index in the job, in [0, number of tasks).
 * @param vertexUid of the chain it runs.
 * @param vertexName for people.
 * @param subtask in [0, parallelism).
 * @param parallelism of the vertex.
 */
public record TaskId(int index, String vertexUid, String vertexName, int subtask, int parallelism) {
    /**
     * The task's name in messages.
     *
     * @return for example {@code window (2/4)}, counted from 1.
     */
    public String display() {
        return vertexName + " (" + (subtask + 1) + "/" + parallelism + ")";
    }

    /**
     * The task's name in the checkpoint store.
     *
     * @return letters, digits, dash and dot only; unique in the job.
     */
    public String segmentName() {
        return index + "-" + vertexUid.replaceAll("[^A-Za-z0-9-]", "-") + "-" + subtask;
    }
}
