package io.weir.storage.page;

import io.weir.storage.state.StateDescriptor;
import io.weir.storage.state.StateFormat;

/**
 * What a segment says of a table.
 *
 * @param section name of the table in segments.
 * @param attributes its codecs; of timers that of their keys, empty if it is not known.
 */
record TableName(String section, String attributes) {
    /** In the place of a table that is not there any more. */
    static final TableName DROPPED = new TableName("", "");

    static TableName of(final StateDescriptor descriptor) {
        return new TableName(StateFormat.VALUE_PREFIX + descriptor.name(), StateFormat.attributes(descriptor));
    }

    static TableName ofTimers(final String name, final String keyCodec) {
        return new TableName(StateFormat.TIMER_PREFIX + name, keyCodec);
    }

    /** Whether it is a table still. */
    boolean isKept() {
        return !equals(DROPPED);
    }

    boolean isTimers() {
        return section.startsWith(StateFormat.TIMER_PREFIX);
    }

    boolean isValues() {
        return section.startsWith(StateFormat.VALUE_PREFIX);
    }

    /** The name that the store's user knows the table by. */
    String name() {
        return section.substring(
                isTimers() ? StateFormat.TIMER_PREFIX.length() : isValues() ? StateFormat.VALUE_PREFIX.length() : 0);
    }

    /** What is stored in a table of values, null if the attributes are damaged. */
    StateDescriptor descriptor() {
        return StateFormat.descriptor(name(), attributes);
    }
}
