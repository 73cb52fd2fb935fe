package io.weir.transport.aeron;

import io.aeron.CommonContext;
import io.weir.transport.ChildJvm;
import io.weir.transport.JvmFlags;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A media driver in a process of its own. */
public final class ExternalDriver implements AutoCloseable {
    private static final long START_DEADLINE_NS = TimeUnit.SECONDS.toNanos(60);
    private static final long ACTIVE_WITHIN_MS = TimeUnit.SECONDS.toMillis(10);

    private final ChildJvm process;
    private final Path directory;

    private ExternalDriver(final ChildJvm process, final Path directory) {
        this.process = process;
        this.directory = directory;
    }

    public static ExternalDriver start(final Path folder) throws IOException {
        final Path directory = folder.resolve("aeron");
        final ExternalDriver driver = new ExternalDriver(
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
        driver.awaitActive();
        return driver;
    }

    /** A client's timeout need not cover the start of a JVM. */
    private void awaitActive() throws IOException {
        final long deadlineNs = System.nanoTime() + START_DEADLINE_NS;
        while (!CommonContext.isDriverActive(directory.toFile(), ACTIVE_WITHIN_MS, progress -> {})) {
            if (System.nanoTime() - deadlineNs > 0 || !process.isAlive()) {
                process.close();
                throw new IOException("a media driver did not start: " + process.output());
            }
            Thread.onSpinWait();
        }
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
