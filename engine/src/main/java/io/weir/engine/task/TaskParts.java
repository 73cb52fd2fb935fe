package io.weir.engine.task;

import io.weir.engine.api.Codec;
import io.weir.engine.graph.PhysicalPlan.Edge;
import io.weir.engine.graph.PhysicalPlan.Vertex;
import io.weir.engine.operator.Redistribution;
import io.weir.storage.snapshot.Manifest.TaskPart;
import io.weir.storage.snapshot.SegmentReader;
import io.weir.storage.state.KeyGroups;
import io.weir.storage.state.KeyedStateStore;
import io.weir.transport.InputGate;
import io.weir.transport.OutputChannel;
import java.util.ArrayList;
import java.util.List;

/** Puts one task together out of what its deployment has opened. The job's thread. */
public final class TaskParts {
    private final TaskId id;
    private final Vertex vertex;
    private final TaskSettings settings;
    private final KeyedStateStore store;
    private final RestoredTask restored;
    private final TaskOutputs outputs = new TaskOutputs();
    private final List<Codec<?>> codecs = new ArrayList<>();
    private boolean[] second = {};
    private InputGate gate;
    private boolean finished;

    /**
     * Begins a task.
     *
     * @param id of the task.
     * @param vertex that it runs.
     * @param settings of the attempt.
     * @param store for its keyed state, empty; the task closes it.
     */
    public TaskParts(final TaskId id, final Vertex vertex, final TaskSettings settings, final KeyedStateStore store) {
        this.id = id;
        this.vertex = vertex;
        this.settings = settings;
        this.store = store;
        restored = new RestoredTask(id.subtask(), id.parallelism());
    }

    /**
     * The task that is put together.
     *
     * @return its id.
     */
    public TaskId id() {
        return id;
    }

    /**
     * Takes over a task's part of a checkpoint, but for list and broadcast state.
     *
     * @param segment of the part.
     * @param saved the part.
     * @param maxParallelism number of key groups.
     */
    public void restore(final SegmentReader segment, final TaskPart saved, final int maxParallelism) {
        store.restoreShared(
                saved.shared(),
                KeyGroups.first(saved.subtask(), maxParallelism, saved.parallelism()),
                KeyGroups.first(saved.subtask() + 1, maxParallelism, saved.parallelism()));
        restored.read(segment, store);
        finished = saved.finished();
    }

    /**
     * Takes over what list state another subtask of the same vertex, or this one, had in a checkpoint.
     *
     * @param segment of that subtask's part; called once for each, in order of the subtasks.
     */
    public void restoreLists(final SegmentReader segment) {
        restored.readLists(segment);
    }

    /**
     * Takes over the broadcast state that another subtask of the same vertex, or this one, had in a checkpoint, if it is the one
     * to take it from.
     *
     * @param segment of that subtask's part; called once for each.
     * @param saved the part.
     */
    public void restoreBroadcast(final SegmentReader segment, final TaskPart saved) {
        if (Redistribution.broadcastSource(id.subtask(), saved.parallelism()) == saved.subtask()) {
            restored.readBroadcast(segment);
        }
    }

    /**
     * Sets the input channels.
     *
     * @param inputGate of the task.
     * @param edgeOfChannel the edge that each channel belongs to.
     */
    public void input(final InputGate inputGate, final List<Edge> edgeOfChannel) {
        gate = inputGate;
        second = new boolean[edgeOfChannel.size()];
        for (final Edge edge : edgeOfChannel) {
            second[codecs.size()] = edge.input() == 1;
            codecs.add(edge.codec().forTask());
        }
    }

    /**
     * Adds the channels of an output edge.
     *
     * @param edge that goes out.
     * @param name of the edge in messages.
     * @param channels one per downstream task that this task sends to.
     */
    public void output(final Edge edge, final String name, final OutputChannel[] channels) {
        outputs.open(edge, settings.maxParallelism(), name, channels);
    }

    /**
     * Puts the task together.
     *
     * @return the task, not open yet.
     */
    public Task build() {
        final TaskEnvironment environment = new TaskEnvironment(id, settings, store, restored, outputs);
        final int runningChannels = gate == null || finished ? 0 : gate.channelCount();
        final TaskBarriers barriers = new TaskBarriers(gate, runningChannels, outputs);
        final Chain chain =
                new Chain(vertex.entry(), outputs, node -> new TaskOperatorContext(node.uid(), environment));
        return new Task(environment, settings, input(environment, barriers, chain), chain, barriers);
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
            final GateInput input =
                    new GateInput(environment, gate, codecs.toArray(Codec<?>[]::new), second, barriers, finished);
            input.wire(chain.entry());
            return input;
        }
        final SourceInput input = new SourceInput(environment, vertex.source(), finished);
        input.wire(chain.entry());
        input.assign();
        return input;
    }
}
