package io.weir.engine.task;

import org.agrona.DirectBuffer;

/** Copies out of buffers that are valid during a call only. */
final class Bytes {
    private Bytes() {}

    static byte[] copy(final DirectBuffer buffer, final int offset, final int length) {
        final byte[] bytes = new byte[length];
        buffer.getBytes(offset, bytes);
        return bytes;
    }
}
