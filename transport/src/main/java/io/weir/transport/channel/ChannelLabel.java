package io.weir.transport.channel;

import io.weir.transport.TransportException;

/** Names one input of a task in errors. */
record ChannelLabel(String taskName, String inputName) {
    TransportException fault(final long position, final String fault) {
        return new TransportException(this + " at position " + position + ": " + fault);
    }

    @Override
    public String toString() {
        return inputName + " of " + taskName;
    }
}
