package io.weir.transport.driver;

import io.aeron.CncFileDescriptor;
import io.aeron.driver.Configuration;
import io.aeron.driver.MediaDriver;
import io.weir.transport.NoRoomException;
import io.weir.transport.TransportException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The room for what a media driver puts into its directory at its start; channels come later and shrink to what is left. Where
 * memory is the disk, a file that does not fit is noticed when it is touched, and ends the process or comes as an error of the
 * JVM that says nothing of it.
 *
 * @param parent of the driver's directory.
 * @param usableBytes that are free there.
 */
record DriverRoom(Path parent, long usableBytes) {
    private static final int DRIVER_SHARE = 4;
    private static final int MIN_COUNTERS_LENGTH = 1 << 20;

    /** Looks around. */
    static DriverRoom in(final Path parent) {
        try {
            return new DriverRoom(parent, Files.getFileStore(parent).getUsableSpace());
        } catch (final IOException e) {
            throw new TransportException("can't tell how much room there is in " + parent, e);
        }
    }

    /**
     * Halves the driver's counters, most of what it takes, until three quarters of the room are left to channels, down to Aeron's
     * least; refuses a driver that does not fit even so.
     *
     * @throws NoRoomException that says what is needed, what is there, and what to change.
     */
    void fit(final MediaDriver.Context context) {
        while (bytes(context) > usableBytes / DRIVER_SHARE
                && context.counterValuesBufferLength() / 2 >= MIN_COUNTERS_LENGTH) {
            context.counterValuesBufferLength(context.counterValuesBufferLength() / 2);
        }
        final long needed = bytes(context);
        if (needed > usableBytes) {
            throw new NoRoomException("no room for the media driver: it needs " + needed + " bytes in " + parent
                    + ", available are " + usableBytes + "; give that file system more (containers take --shm-size for"
                    + " /dev/shm), or choose another folder by -Dweir.transport.embedded.parent");
        }
    }

    /** What the files of a driver without channels take. */
    static long bytes(final MediaDriver.Context context) {
        final int buffers = context.conductorBufferLength()
                + context.toClientsBufferLength()
                + Configuration.countersMetadataBufferLength(context.counterValuesBufferLength())
                + context.counterValuesBufferLength()
                + context.errorBufferLength();
        return (long) CncFileDescriptor.computeCncFileLength(buffers, context.filePageSize())
                + context.lossReportBufferLength();
    }
}
