package io.weir.engine.task;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.engine.api.Codecs;
import io.weir.engine.graph.PhysicalPlan.Edge;
import io.weir.engine.graph.PhysicalPlan.Partitioning;
import io.weir.storage.checkpoint.CheckpointStore;
import io.weir.storage.checkpoint.MemoryCheckpointStorage;
import io.weir.storage.snapshot.SegmentHandle;
import io.weir.storage.snapshot.SegmentReader;
import io.weir.storage.snapshot.SegmentWriter;
import io.weir.transport.frame.RecordFlyweight;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What was in flight on a channel comes back in the order in which it was sent. */
final class RestoredRecordsTest {
    private static final Edge EDGE = new Edge(0, 0, 1, Partitioning.REBALANCE, Codecs.longs(), null, 0);

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldDeliverWhatHadLeftItsSenderBeforeWhatHadNot(final boolean isRescaled) throws Exception {
        // given: the sender's part is read first
        final RestoredRecords records = new RestoredRecords(0, 1, 128);
        try (CheckpointStore store = new MemoryCheckpointStorage().open("order")) {
            final SegmentHandle handle;
            try (SegmentWriter writer = store.createSegment(1, "part")) {
                writer.beginSection("in", "");
                entry(writer, 1, 2);
                entry(writer, 3);
                writer.beginSection("out", "");
                entry(writer, 4, 5);
                handle = writer.finish();
            }
            try (SegmentReader segment = store.openSegment(handle)) {
                records.readOutputs(segment, EDGE, "out", isRescaled);
                records.readInputs(segment, EDGE, "in", isRescaled);
            }
        }

        // when: two at a time
        final List<Object> delivered = new ArrayList<>();
        while (!records.isEmpty()) {
            records.deliver(2, (edge, value, timestampNs, sourceWatermarkNs) -> delivered.add(value));
        }

        // then
        assertEquals(List.of(1L, 2L, 3L, 4L, 5L), delivered);
    }

    private static void entry(final SegmentWriter writer, final long... values) {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[256]);
        int end = 0;
        for (final long value : values) {
            final int length = Codecs.longs().encode(value, buffer, end + RecordFlyweight.HEADER_LENGTH);
            RecordFlyweight.putHeader(buffer, end, 1, Long.MIN_VALUE, length);
            end += RecordFlyweight.alignedLength(RecordFlyweight.HEADER_LENGTH, length);
        }
        writer.entry(-1, buffer, 0, end);
    }
}
