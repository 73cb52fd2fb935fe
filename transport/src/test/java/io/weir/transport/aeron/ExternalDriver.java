package io.weir.transport.aeron;

import io.weir.transport.ChildJvm;
import io.weir.transport.JvmFlags;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** A media driver in a process of its own. */
public final class ExternalDriver implements AutoCloseable {
    private final ChildJvm process;
    private final Path directory;

    private ExternalDriver(final ChildJvm process, final Path directory) {
        this.process = process;
        this.directory = directory;
    }

    public static ExternalDriver start(final Path folder) throws IOException {
        final Path directory = folder.resolve("aeron");
        return new ExternalDriver(
                ChildJvm.start(
                        folder,
                        List.of(
                                JvmFlags.REQUIRED,
                                "-Daeron.dir=" + directory,
                                "-Daeron.threading.mode=SHARED",
                                "-Daeron.timer.interval=20ms",
                                "-Daeron.shared.idle.strategy=org.agrona.concurrent.YieldingIdleStrategy"),
                        List.of("io.aeron.driver.MediaDriver")),
                directory);
    }

    public Path directory() {
        return directory;
    }

    public void kill() throws IOException, InterruptedException {
        process.kill();
    }

    @Override
    public void close() {
        process.close();
    }
}
