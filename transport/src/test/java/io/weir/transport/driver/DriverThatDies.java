package io.weir.transport.driver;

import java.nio.file.Path;

/** Launches an embedded driver and dies without a chance to tidy up. */
final class DriverThatDies {
    static final int STATUS = 42;

    private DriverThatDies() {}

    public static void main(final String[] args) {
        final DriverConnection connection = DriverConnection.embedded(Path.of(args[0]), error -> {});
        Runtime.getRuntime().halt(connection.errorCount() == 0 ? STATUS : 1);
    }
}
