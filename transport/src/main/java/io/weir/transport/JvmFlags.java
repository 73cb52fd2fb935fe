package io.weir.transport;

import org.agrona.DirectBuffer;

/** Checks at the door what Agrona's buffers need of the JVM, so that a user meets one clear error. Any thread. */
public final class JvmFlags {
    /** The flag that must be on the command line of every JVM that opens a transport. */
    public static final String REQUIRED = "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED";

    private JvmFlags() {}

    /**
     * Checks that the flag is there.
     *
     * @throws IllegalStateException that tells the flag to add, if it is not.
     */
    public static void check() {
        final Module base = Object.class.getModule();
        if (!base.isExported("jdk.internal.misc", DirectBuffer.class.getModule())) {
            throw new IllegalStateException(
                    "off-heap buffers need a JVM flag that is missing; add to the command line: " + REQUIRED);
        }
    }
}
