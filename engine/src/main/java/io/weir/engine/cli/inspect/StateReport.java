package io.weir.engine.cli.inspect;

import io.weir.engine.api.codec.KeyText;
import io.weir.engine.api.codec.TextCodec;
import io.weir.storage.inspect.CheckpointInspection;
import io.weir.storage.inspect.EntryVisitor;
import io.weir.storage.inspect.InspectedTable;
import java.io.PrintWriter;
import java.util.List;
import java.util.stream.Stream;
import org.agrona.DirectBuffer;

/** The entries of one state, or of timers, as text. */
public final class StateReport {
    private final PrintWriter out;
    private final CheckpointInspection inspection;
    private final InspectedTable table;
    private final KeyText keys;
    private final TextCodec values;

    /**
     * A report.
     *
     * @param out takes it.
     * @param inspection of the checkpoint.
     * @param state name of the state or timers, whole or what follows the operator's uid.
     * @throws InspectException if there is none, or several; it names those that there are.
     */
    public StateReport(final PrintWriter out, final CheckpointInspection inspection, final String state) {
        this.out = out;
        this.inspection = inspection;
        table = find(inspection, state);
        keys = KeyText.of(table.keyCodec().isEmpty() ? timerKeys(table.name()) : table.keyCodec());
        values = TextCodec.of(table.valueCodec());
    }

    private static InspectedTable find(final CheckpointInspection inspection, final String state) {
        final List<String> known = inspection.tableNames();
        List<String> found = known.stream().filter(state::equals).toList();
        if (found.isEmpty()) {
            found = known.stream()
                    .filter(name -> name.endsWith("/state." + state) || name.endsWith("/" + state))
                    .toList();
        }
        if (found.size() != 1) {
            throw new InspectException((found.isEmpty() ? "there is no state '" : "there are several states '") + state
                    + "' in checkpoint " + inspection.checkpointId() + "; "
                    + (found.isEmpty() ? "its states are " + known : "name one of " + found));
        }
        final String name = found.get(0);
        return tables(inspection)
                .filter(table -> table.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static Stream<InspectedTable> tables(final CheckpointInspection inspection) {
        return inspection.tasks().stream().flatMap(task -> task.tables().stream());
    }

    /** Timers of older checkpoints do not tell their codec, but they have the keys of their operator's states. */
    private String timerKeys(final String name) {
        final String operator = name.substring(0, name.lastIndexOf('/') + 1);
        return tables(inspection)
                .filter(other -> !other.isTimers() && other.name().startsWith(operator))
                .map(other -> KeyText.of(other.keyCodec()).plainSignature())
                .findFirst()
                .orElse("bytes");
    }

    /**
     * Prints entries, one on a line: {@code entry, key group, key, value}, or {@code timer, key group, time, key}.
     *
     * @param key the one key to print, null for all.
     * @param limit the most entries to print.
     * @throws InspectException if there is no entry of the key, or it is none that the state's codec can have.
     */
    public void print(final String key, final long limit) {
        final Lines lines = new Lines(key == null ? null : parse(key), limit);
        out.println("state    " + table.name());
        inspection.forEach(table.name(), lines);
        out.println("entries  " + lines.count + (lines.count > limit ? ", the first " + limit + " are shown" : ""));
        if (key != null && lines.count == 0) {
            throw new InspectException("state " + table.name() + " has no entry of key " + key + " in checkpoint "
                    + inspection.checkpointId());
        }
    }

    private DirectBuffer parse(final String key) {
        try {
            return keys.parse(key);
        } catch (final IllegalArgumentException e) {
            throw new InspectException("key " + key + " is no " + keys.plainSignature() + ", as state " + table.name()
                    + " has it: " + e.getMessage());
        }
    }

    private final class Lines implements EntryVisitor {
        private final DirectBuffer wanted;
        private final long limit;
        private long count;

        Lines(final DirectBuffer wanted, final long limit) {
            this.wanted = wanted;
            this.limit = limit;
        }

        @Override
        public void onValue(final int keyGroup, final DirectBuffer key, final DirectBuffer value) {
            if (isShown(key)) {
                out.println("entry  " + keyGroup + "  " + keys.print(key) + "  "
                        + values.decode(value, 0, value.capacity()));
            }
        }

        @Override
        public void onTimer(final int keyGroup, final long time, final DirectBuffer key) {
            if (isShown(key)) {
                out.println("timer  " + keyGroup + "  " + time + "  " + keys.print(key));
            }
        }

        private boolean isShown(final DirectBuffer key) {
            return (wanted == null || keys.isOf(key, wanted)) && ++count <= limit;
        }
    }
}
