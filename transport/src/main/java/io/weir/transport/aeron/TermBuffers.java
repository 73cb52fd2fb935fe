package io.weir.transport.aeron;

import io.aeron.Image;
import io.aeron.logbuffer.LogBufferDescriptor;
import io.weir.transport.TransportException;
import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The terms of an image's log, mapped once more and read-only: an image itself lets nobody peek behind the term that its position
 * is in.
 */
final class TermBuffers {
    private final MappedByteBuffer[] mapped = new MappedByteBuffer[LogBufferDescriptor.PARTITION_COUNT];
    private final UnsafeBuffer[] terms = new UnsafeBuffer[LogBufferDescriptor.PARTITION_COUNT];
    private final int positionBitsToShift;
    private final int termMask;

    private TermBuffers(final Image image) {
        positionBitsToShift = image.positionBitsToShift();
        termMask = image.termBufferLength() - 1;
    }

    static TermBuffers map(final Image image, final String name) {
        final TermBuffers buffers = new TermBuffers(image);
        final int termLength = image.termBufferLength();
        final FileChannel log = image.fileChannel();
        try {
            for (int i = 0; i < LogBufferDescriptor.PARTITION_COUNT; i++) {
                buffers.mapped[i] = log.map(FileChannel.MapMode.READ_ONLY, (long) i * termLength, termLength);
                buffers.terms[i] = new UnsafeBuffer(buffers.mapped[i]);
            }
        } catch (final IOException e) {
            buffers.close();
            throw new TransportException(name + ": the log buffers could not be mapped: " + e.getMessage(), e);
        }
        return buffers;
    }

    UnsafeBuffer term(final long position) {
        return terms[LogBufferDescriptor.indexByPosition(position, positionBitsToShift)];
    }

    int offset(final long position) {
        return (int) position & termMask;
    }

    void close() {
        for (final MappedByteBuffer each : mapped) {
            if (each != null) {
                BufferUtil.free(each);
            }
        }
    }
}
