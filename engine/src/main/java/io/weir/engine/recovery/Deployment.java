package io.weir.engine.recovery;

import io.weir.engine.coordinator.TaskTopology;
import io.weir.engine.graph.PhysicalPlan;
import io.weir.engine.graph.PhysicalPlan.Edge;
import io.weir.engine.graph.PhysicalPlan.Partitioning;
import io.weir.engine.graph.PhysicalPlan.Vertex;
import io.weir.engine.task.Task;
import io.weir.engine.task.TaskChannel;
import io.weir.engine.task.TaskException;
import io.weir.engine.task.TaskId;
import io.weir.engine.task.TaskParts;
import io.weir.engine.task.TaskSettings;
import io.weir.storage.state.KeyGroups;
import io.weir.storage.state.StateBackend;
import io.weir.storage.state.StoreContext;
import io.weir.transport.NoRoomException;
import io.weir.transport.OutputChannel;
import io.weir.transport.Transport;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;

/**
 * The tasks of one attempt with their channels: gates first, then the sending ends, then state and operators. What was half
 * opened when something fails is closed again. The job's thread.
 */
final class Deployment {
    private final PhysicalPlan plan;
    private final TaskSettings settings;
    private final Transport transport;
    private final int[] firstTask;
    private final int bufferLength;
    private final List<TaskParts> parts = new ArrayList<>();
    private final List<TaskTopology.Channel> channels = new ArrayList<>();
    private final List<Task> tasks = new ArrayList<>();

    private Deployment(final PhysicalPlan plan, final TaskSettings settings, final Transport transport) {
        this.plan = plan;
        this.settings = settings;
        this.transport = transport;
        firstTask = new int[plan.vertices().size() + 1];
        for (final Vertex vertex : plan.vertices()) {
            firstTask[vertex.index() + 1] = firstTask[vertex.index()] + vertex.parallelism();
        }
        bufferLength = bufferLength();
    }

    /**
     * Opens everything.
     *
     * @param restore fills the parts of the tasks from a checkpoint, or does nothing.
     * @param nowNs epoch nanoseconds.
     * @throws TaskException if there is no room for the channels, before anything is opened, or if a task can't be opened.
     */
    static Deployment open(
            final PhysicalPlan plan,
            final TaskSettings settings,
            final Transport transport,
            final StateBackend backend,
            final RestorePlan restore,
            final long nowNs) {
        final Deployment deployment = new Deployment(plan, settings, transport);
        try {
            deployment.createParts(backend);
            restore.restore(deployment.parts);
            deployment.openChannels();
            for (final TaskParts part : deployment.parts) {
                deployment.tasks.add(part.build());
            }
            for (final Task task : deployment.tasks) {
                task.open(nowNs);
            }
            return deployment;
        } catch (final Throwable e) {
            deployment.closeAfter(e);
            throw e;
        }
    }

    List<Task> tasks() {
        return tasks;
    }

    TaskTopology topology() {
        return new TaskTopology(tasks.size(), channels);
    }

    private void createParts(final StateBackend backend) {
        for (final Vertex vertex : plan.vertices()) {
            for (int subtask = 0; subtask < vertex.parallelism(); subtask++) {
                final TaskId id = new TaskId(parts.size(), vertex.uid(), vertex.name(), subtask, vertex.parallelism());
                final int first = KeyGroups.first(subtask, plan.maxParallelism(), vertex.parallelism());
                final int end = KeyGroups.first(subtask + 1, plan.maxParallelism(), vertex.parallelism());
                final StoreContext context = new StoreContext(
                        plan.maxParallelism(),
                        first,
                        end,
                        settings.checkpoints().shared(id.segmentName()));
                parts.add(new TaskParts(id, vertex, plan, settings, backend.open(context)));
            }
        }
    }

    private void openChannels() {
        final List<List<Input>> inputs = new ArrayList<>();
        for (final TaskParts part : parts) {
            inputs.add(openGate(part));
        }
        for (final Edge edge : plan.edges()) {
            for (int task = firstTask[edge.from()]; task < firstTask[edge.from() + 1]; task++) {
                openOutputs(edge, task, inputs);
            }
        }
    }

    private List<Input> openGate(final TaskParts part) {
        final int vertex = vertexOf(part.id().index());
        final List<Input> inputs = new ArrayList<>();
        for (final Edge edge : plan.edges()) {
            if (edge.to() == vertex) {
                addInputs(edge, part.id(), inputs);
            }
        }
        if (inputs.isEmpty()) {
            return inputs;
        }
        final int controlStreamId = transport.nextStreamId();
        final int[] dataStreamIds = new int[inputs.size()];
        for (int i = 0; i < dataStreamIds.length; i++) {
            dataStreamIds[i] = inputs.get(i).dataStreamId;
            inputs.get(i).controlStreamId = controlStreamId;
            inputs.get(i).channelIndex = i;
        }
        part.input(
                transport.openGate(settings.attempt(), part.id().display(), dataStreamIds, controlStreamId),
                inputs.stream()
                        .map(input -> channel(input.edge, input.upstreamTask))
                        .toList());
        return inputs;
    }

    private void addInputs(final Edge edge, final TaskId id, final List<Input> inputs) {
        if (edge.partitioning() == Partitioning.FORWARD) {
            inputs.add(new Input(edge, firstTask[edge.from()] + id.subtask(), transport.nextStreamId()));
            return;
        }
        for (int upstream = firstTask[edge.from()]; upstream < firstTask[edge.from() + 1]; upstream++) {
            inputs.add(new Input(edge, upstream, transport.nextStreamId()));
        }
    }

    private void openOutputs(final Edge edge, final int task, final List<List<Input>> inputs) {
        final TaskParts part = parts.get(task);
        final String name =
                part.id().display() + "->" + plan.vertices().get(edge.to()).name();
        final List<TaskChannel> ofEdge = new ArrayList<>();
        final List<OutputChannel> opened = new ArrayList<>();
        for (int target = firstTask[edge.to()]; target < firstTask[edge.to() + 1]; target++) {
            for (final Input input : inputs.get(target)) {
                if (input.edge.index() == edge.index() && input.upstreamTask == task) {
                    opened.add(transport.openOutput(
                            settings.attempt(),
                            name,
                            input.dataStreamId,
                            input.controlStreamId,
                            input.channelIndex,
                            bufferLength));
                    ofEdge.add(channel(edge, target));
                    channels.add(new TaskTopology.Channel(task, target));
                }
            }
        }
        part.output(edge, name, ofEdge, opened.toArray(OutputChannel[]::new));
    }

    private TaskChannel channel(final Edge edge, final int peerTask) {
        return new TaskChannel(
                edge, plan.edgeName(edge), parts.get(peerTask).id().subtask());
    }

    private int bufferLength() {
        final long channelCount =
                plan.edges().stream().mapToLong(this::channelCount).sum();
        if (channelCount == 0) {
            return 0;
        }
        try {
            return transport.bufferLength(channelCount);
        } catch (final NoRoomException e) {
            final Edge widest = Collections.max(plan.edges(), Comparator.comparingLong(this::channelCount));
            final Vertex from = plan.vertices().get(widest.from());
            final Vertex to = plan.vertices().get(widest.to());
            throw new TaskException(
                    "job " + settings.jobName() + " can't be started with so many channels, " + channelCount(widest)
                            + " of them from " + from.name() + " (parallelism " + from.parallelism() + ") to "
                            + to.name() + " (parallelism " + to.parallelism() + "): " + e.getMessage(),
                    e);
        }
    }

    private long channelCount(final Edge edge) {
        final long upstream = plan.vertices().get(edge.from()).parallelism();
        return edge.partitioning() == Partitioning.FORWARD
                ? upstream
                : upstream * plan.vertices().get(edge.to()).parallelism();
    }

    private int vertexOf(final int task) {
        int vertex = 0;
        while (firstTask[vertex + 1] <= task) {
            vertex++;
        }
        return vertex;
    }

    private void closeAfter(final Throwable cause) {
        for (int i = parts.size() - 1; i >= 0; i--) {
            try {
                if (i < tasks.size()) {
                    tasks.get(i).close();
                } else {
                    parts.get(i).close();
                }
            } catch (final Throwable e) { // the others have to be closed too
                if (e != cause) {
                    cause.addSuppressed(e);
                }
            }
        }
    }

    private static final class Input {
        private final Edge edge;
        private final int upstreamTask;
        private final int dataStreamId;
        private int controlStreamId;
        private int channelIndex;

        Input(final Edge edge, final int upstreamTask, final int dataStreamId) {
            this.edge = edge;
            this.upstreamTask = upstreamTask;
            this.dataStreamId = dataStreamId;
        }
    }
}
