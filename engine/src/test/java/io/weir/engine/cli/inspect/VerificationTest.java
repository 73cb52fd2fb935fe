package io.weir.engine.cli.inspect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.storage.checkpoint.CheckpointFolder;
import io.weir.storage.file.MemoryFileStore;
import io.weir.storage.inspect.HookedFileStore;
import io.weir.storage.inspect.InspectedJob;
import io.weir.storage.page.PagesStateBackend;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A job may delete checkpoints while they are verified, at any moment. */
final class VerificationTest {
    private static final Path FOLDER = Path.of("/words");
    private static final int MAX_FILES = 30;

    private int lookedAt;

    @Test
    void shouldTakeACheckpointThatVanishesAtAnyMomentForNoDamage() {
        int gone = 0;
        int sound = 0;
        for (int opened = 1; opened <= MAX_FILES; opened++) {
            final String shown = verifyWhileDeleting(opened);
            if (shown.contains("gone      chk-1  deleted meanwhile\n")) {
                gone++;
            } else {
                assertTrue(shown.contains("sound     chk-1  "), shown);
                sound++;
            }
            assertTrue(shown.contains("sound     chk-2  "), shown);
        }
        assertTrue(gone >= 3 && sound > 0, gone + " gone, " + sound + " sound");
    }

    /** Deletes checkpoint 1 just before the n-th file is opened. */
    private String verifyWhileDeleting(final int opened) {
        final MemoryFileStore files = new MemoryFileStore();
        final StringWriter text = new StringWriter();
        try (InspectedJob job = new InspectedJob(files, Path.of("/"), new PagesStateBackend(), 2)) {
            job.put("BTC", 1);
            job.put("ETH", 2);
            job.checkpoint();
            job.put("BTC", 3);
            job.checkpoint();
            final AtomicInteger count = new AtomicInteger();
            final CheckpointFolder folder = CheckpointFolder.at(
                    new HookedFileStore(files, path -> {
                        if (count.incrementAndGet() == opened) {
                            job.store().delete(1);
                        }
                    }),
                    FOLDER);
            final Verification verification = new Verification(new PrintWriter(text));

            List.of(1L, 2L).forEach(id -> verification.verify(folder, id));

            assertEquals(0, verification.damaged(), text::toString);
            assertTrue(verification.sound() >= 1, text::toString);
            lookedAt = count.get();
        }
        assertTrue(lookedAt < MAX_FILES, "not every moment is tried: " + lookedAt);
        return text.toString();
    }
}
