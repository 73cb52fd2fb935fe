package io.weir.engine.task;

import io.weir.engine.api.Codec;
import io.weir.engine.graph.PhysicalPlan;
import io.weir.engine.graph.PhysicalPlan.Edge;
import io.weir.engine.graph.PhysicalPlan.Vertex;
import io.weir.engine.operator.Redistribution;
import io.weir.storage.snapshot.Manifest.TaskPart;
import io.weir.storage.snapshot.SegmentReader;
import io.weir.storage.snapshot.SegmentReader.Section;
import io.weir.storage.state.KeyGroups;
import io.weir.storage.state.KeyedStateStore;
import io.weir.transport.InputGate;
import io.weir.transport.OutputChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Puts one task together out of what its deployment has opened. The job's thread. */
public final class TaskParts {
    private final TaskId id;
    private final Vertex vertex;
    private final Set<String> uids;
    private final TaskSettings settings;
    private final KeyedStateStore store;
    private final RestoredTask restored;
    private final RestoredRecords records;
    private final PhysicalPlan plan;
    private final TaskChannels channels = new TaskChannels();
    private final TaskOutputs outputs = new TaskOutputs();
    private final List<Codec<?>> codecs = new ArrayList<>();
    private boolean[] second = {};
    private InputGate gate;
    private boolean isRestored;
    private boolean finished;

    /**
     * Begins a task.
     *
     * @param id of the task.
     * @param vertex that it runs.
     * @param plan that the vertex is part of.
     * @param settings of the attempt.
     * @param store for its keyed state, empty; the task closes it.
     */
    public TaskParts(
            final TaskId id,
            final Vertex vertex,
            final PhysicalPlan plan,
            final TaskSettings settings,
            final KeyedStateStore store) {
        this.id = id;
        this.vertex = vertex;
        uids = vertex.uids();
        this.plan = plan;
        this.settings = settings;
        this.store = store;
        restored = new RestoredTask(id.subtask(), id.parallelism());
        records = new RestoredRecords(id.subtask(), id.parallelism(), settings.maxParallelism());
    }

    /**
     * The task that is put together.
     *
     * @return its id.
     */
    public TaskId id() {
        return id;
    }

    /** State that no operator asks for any more is left behind, and not refused. */
    public void leaveUnclaimed() {
        restored.leaveUnclaimed();
    }

    /**
     * Takes over this task's share of the part that a task has in a checkpoint which had operators of this vertex: of these
     * operators alone, all of the same subtask's, or, if the parallelism has changed, the state of its key groups and its share of
     * the lists.
     *
     * @param segment of the part; called once for each, in order of the subtasks.
     * @param saved the part.
     */
    public void restore(final SegmentReader segment, final TaskPart saved) {
        restored.readLists(segment, saved, name -> isMine(name, saved));
        if (Redistribution.broadcastSource(id.subtask(), saved.parallelism()) == saved.subtask()) {
            restored.readBroadcast(segment, name -> isMine(name, saved));
        }
        if (!isFor(saved)) {
            return;
        }
        final int first = firstKeyGroup(saved.subtask(), saved.parallelism());
        final int end = firstKeyGroup(saved.subtask() + 1, saved.parallelism());
        if (first < firstKeyGroup(id.subtask() + 1, id.parallelism())
                && end > firstKeyGroup(id.subtask(), id.parallelism())) {
            store.restoreShared(saved.shared(), first, end, table -> isMine(table, saved));
            store.restore(segment, table -> isMine(table, saved));
        }
        finished = saved.finished() && (finished || !isRestored);
        isRestored = true;
    }

    /**
     * Goes on from the watermark that a part of a checkpoint has, the least if there are several.
     *
     * @param segment of the part.
     * @param saved the part.
     */
    public void restoreWatermark(final SegmentReader segment, final TaskPart saved) {
        if (isFor(saved)) {
            restored.readWatermark(segment);
        }
    }

    /** Whether the part is of the same subtask, or may be of any since the parallelism has changed. */
    private boolean isFor(final TaskPart saved) {
        return saved.parallelism() != id.parallelism() || saved.subtask() == id.subtask();
    }

    /** Whether state, which is named {@code uid/name}, is of an operator that this task has now. One uid may begin another. */
    private boolean isMine(final String name, final TaskPart saved) {
        String owner = "";
        for (final String uid : saved.operatorUids()) {
            if (name.startsWith(uid + "/") && uid.length() > owner.length()) {
                owner = uid;
            }
        }
        return uids.contains(owner.isEmpty() ? saved.operatorUids().get(0) : owner);
    }

    private int firstKeyGroup(final int subtask, final int parallelism) {
        return KeyGroups.first(subtask, settings.maxParallelism(), parallelism);
    }

    /**
     * Takes over what was in flight to this task's vertex in a checkpoint and is this task's to process.
     *
     * @param segment of the part of a task of this vertex, or of one upstream of it; called once for each, in order of the subtasks.
     * @param saved the part.
     * @param formerParallelism of this task's vertex in the checkpoint.
     * @throws TaskException if the records have another layout than the job's.
     */
    public void restoreChannels(final SegmentReader segment, final TaskPart saved, final int formerParallelism) {
        final boolean isRescaled = formerParallelism != id.parallelism();
        for (final Edge edge : plan.edges()) {
            if (edge.to() != vertex.index()) {
                continue;
            }
            final String name = plan.edgeName(edge);
            if (saved.vertexUid().equals(id.vertexUid()) && (isRescaled || saved.subtask() == id.subtask())) {
                for (final Section section : TaskChannel.inputs(segment, name)) {
                    checkLayout(edge, section);
                    records.readInputs(segment, edge, section.name(), isRescaled);
                }
            }
            if (saved.vertexUid().equals(plan.vertices().get(edge.from()).uid())) {
                for (final Section section : TaskChannel.outputs(segment, name)) {
                    if (isRescaled || TaskChannel.peer(section) == id.subtask()) {
                        checkLayout(edge, section);
                        records.readOutputs(segment, edge, section.name(), isRescaled);
                    }
                }
            }
        }
    }

    /**
     * Sets the input channels.
     *
     * @param inputGate of the task.
     * @param channels of the gate, in its order.
     */
    public void input(final InputGate inputGate, final List<TaskChannel> channels) {
        gate = inputGate;
        this.channels.addInputs(channels);
        second = new boolean[channels.size()];
        for (final TaskChannel channel : channels) {
            second[codecs.size()] = channel.edge().input() == 1;
            codecs.add(channel.edge().codec().forTask());
        }
    }

    /**
     * Adds the channels of an output edge.
     *
     * @param edge that goes out.
     * @param name of the edge in messages.
     * @param ofEdge one per downstream task that this task sends to.
     * @param ends the sending ends, in the same order.
     */
    public void output(final Edge edge, final String name, final List<TaskChannel> ofEdge, final OutputChannel[] ends) {
        channels.addOutputs(ofEdge);
        outputs.open(edge, ofEdge.get(0).order(), settings.maxParallelism(), name, ends);
    }

    /**
     * Puts the task together.
     *
     * @return the task, not open yet.
     */
    public Task build() {
        final TaskEnvironment environment = new TaskEnvironment(id, settings, store, restored, outputs);
        final TaskBarriers barriers = new TaskBarriers(
                settings.barriers().handler(channels.forBarriers(!finished)),
                gate,
                environment,
                settings.barriers().maxChannelStateBytes());
        final Chain chain =
                new Chain(vertex.entry(), outputs, node -> new TaskOperatorContext(node.uid(), environment));
        return new Task(environment, settings, input(environment, barriers, chain), chain, barriers, channels);
    }

    /** Frees what was opened for a task that was never built. */
    public void close() {
        if (gate != null) {
            gate.close();
        }
        outputs.close();
        store.close();
    }

    private TaskInput input(final TaskEnvironment environment, final TaskBarriers barriers, final Chain chain) {
        if (vertex.source() == null) {
            final GateInput input = new GateInput(
                    environment, gate, codecs.toArray(Codec<?>[]::new), second, barriers, records, finished);
            input.wire(chain.entry());
            return input;
        }
        final SourceInput input = new SourceInput(environment, vertex.source(), finished);
        input.wire(chain.entry());
        input.assign();
        return input;
    }

    /** Bytes of another layout would be read as something that they are not. */
    private void checkLayout(final Edge edge, final Section section) {
        final String wanted = TaskChannel.layout(edge);
        if (!section.attributes().equals(wanted)) {
            throw TaskException.permanent(
                    "task " + id.display() + ": the checkpoint has records in flight on edge " + plan.edgeName(edge)
                            + " of codec " + section.attributes() + ", the job has " + wanted
                            + "; restore it with the former codec, and take an aligned checkpoint before the change",
                    null);
        }
    }
}
