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
    private static final int MAX_WORDS = 64;

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
     * @return letters, digits and dash only, of a bounded length; unique in the job by its index.
     */
    public String segmentName() {
        final String words = vertexUid.replaceAll("[^A-Za-z0-9-]", "-");
        return index + "-" + words.substring(0, Math.min(MAX_WORDS, words.length())) + "-" + subtask;
    }
}
