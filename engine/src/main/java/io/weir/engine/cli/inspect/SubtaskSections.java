package io.weir.engine.cli.inspect;

import io.weir.storage.inspect.CheckpointInspection;
import io.weir.storage.inspect.InspectedSection;
import io.weir.storage.inspect.InspectedTask;
import java.nio.ByteOrder;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The sections that tasks write besides keyed state, by their names (see {@code io.weir.engine.task}): {@code task/watermark},
 * one entry of 8 bytes, and {@code channel/input/EDGE/PEER} and {@code channel/output/EDGE/PEER}, one entry per run of records
 * that were in flight.
 */
final class SubtaskSections {
    private static final String WATERMARK = "task/watermark";
    private static final String INPUT = "channel/input/";
    private static final String OUTPUT = "channel/output/";
    private static final String NONE = "-";

    private SubtaskSections() {}

    /** Whether a section is told of here. */
    static boolean isKnown(final InspectedSection section) {
        return section.name().equals(WATERMARK) || isChannel(section);
    }

    private static boolean isChannel(final InspectedSection section) {
        return section.name().startsWith(INPUT) || section.name().startsWith(OUTPUT);
    }

    /** The watermark of a task in nanoseconds, {@code none} before its first, {@code end} behind all data. */
    static String watermark(final CheckpointInspection inspection, final InspectedTask task) {
        if (task.sections().stream().noneMatch(section -> section.name().equals(WATERMARK) && section.entries() == 1)) {
            return NONE;
        }
        final AtomicLong watermarkNs = new AtomicLong(Long.MIN_VALUE);
        inspection.forEachOfSection(task.name(), WATERMARK, (keyGroup, buffer, offset, length) -> {
            if (length == Long.BYTES) {
                watermarkNs.set(buffer.getLong(offset, ByteOrder.LITTLE_ENDIAN));
            }
        });
        final long ns = watermarkNs.get();
        return ns == Long.MIN_VALUE ? "none" : ns == Long.MAX_VALUE ? "end" : String.valueOf(ns);
    }

    /** One line per channel that had records in flight. */
    static Columns channels(final CheckpointInspection inspection) {
        final Columns lines =
                new Columns("channel", "TASK", "DIRECTION", "EDGE", "PEER", "RUNS", "BYTES", "STATUS", "LAYOUT");
        for (final InspectedTask task : inspection.tasks()) {
            for (final InspectedSection section : task.sections()) {
                if (isChannel(section)) {
                    add(lines, task, section);
                }
            }
        }
        return lines;
    }

    private static void add(final Columns lines, final InspectedTask task, final InspectedSection section) {
        final boolean isInput = section.name().startsWith(INPUT);
        final String channel = section.name().substring((isInput ? INPUT : OUTPUT).length());
        final int peer = channel.lastIndexOf('/');
        lines.add(
                task.name(),
                isInput ? "input" : "output",
                peer < 0 ? channel : channel.substring(0, peer),
                peer < 0 ? NONE : channel.substring(peer + 1),
                String.valueOf(section.entries()),
                String.valueOf(section.bytes()),
                section.isIntact() ? "intact" : "damaged",
                section.attributes().isEmpty() ? NONE : section.attributes());
    }
}
