package io.weir.engine.task;

import io.weir.engine.barrier.EdgeOrder;
import io.weir.engine.graph.PhysicalPlan.Edge;
import io.weir.engine.graph.PhysicalPlan.Partitioning;
import io.weir.storage.snapshot.SegmentReader;
import io.weir.storage.snapshot.SegmentReader.Section;
import io.weir.storage.state.CodecText;
import java.util.List;

/**
 * One channel of a task, as it is known in checkpoints.
 *
 * @param edge that it belongs to.
 * @param edgeName the edge's name, the same in every run of the job.
 * @param peer subtask at the other end.
 */
public record TaskChannel(Edge edge, String edgeName, int peer) {
    private static final String INPUT = "channel/input/";
    private static final String OUTPUT = "channel/output/";

    /** Whether barriers may overtake data on the channel: not where its records can't be dealt out anew. */
    EdgeOrder order() {
        return edge.partitioning() == Partitioning.KEYED || edge.partitioning() == Partitioning.REBALANCE
                ? EdgeOrder.OVERTAKEN
                : EdgeOrder.KEPT;
    }

    /** The section of the receiver's segment that has what was in flight to it. */
    String inputSection() {
        return INPUT + edgeName + "/" + peer;
    }

    /** The section of the sender's segment that has what was not sent yet. */
    String outputSection() {
        return OUTPUT + edgeName + "/" + peer;
    }

    static String layout(final Edge edge) {
        return CodecText.of(edge.codec().signature(), edge.codec().version());
    }

    /** The sections that hold what was in flight on the channels of an edge to the segment's task. */
    static List<Section> inputs(final SegmentReader segment, final String edgeName) {
        return sections(segment, INPUT + edgeName);
    }

    /** The sections that hold what the segment's task had not sent on the channels of an edge. */
    static List<Section> outputs(final SegmentReader segment, final String edgeName) {
        return sections(segment, OUTPUT + edgeName);
    }

    /** The subtask at the other end of the channel that a section is of. */
    static int peer(final Section section) {
        return Integer.parseInt(section.name().substring(section.name().lastIndexOf('/') + 1));
    }

    /**
     * The edges that a segment has records of.
     *
     * @param segment of a task's part.
     * @return their names, empty for a checkpoint that was aligned.
     */
    public static List<String> edgeNames(final SegmentReader segment) {
        return segment.sections().stream()
                .map(Section::name)
                .filter(name -> name.startsWith(INPUT) || name.startsWith(OUTPUT))
                .map(name -> name.substring((name.startsWith(INPUT) ? INPUT : OUTPUT).length(), name.lastIndexOf('/')))
                .distinct()
                .toList();
    }

    private static List<Section> sections(final SegmentReader segment, final String prefix) {
        return segment.sections().stream()
                .filter(section -> section.name().startsWith(prefix + "/")
                        && section.name().lastIndexOf('/') == prefix.length())
                .toList();
    }
}
