package io.weir.storage.checkpoint;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.storage.checkpoint.Adoptions.Adopted;
import io.weir.storage.file.DurableFile;
import io.weir.storage.file.MemoryFileStore;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

final class AdoptionsTest {
    private static final Path FILE = Path.of("/adopted");
    private static final Adopted CLAIMED = new Adopted("/from/a", "a", 7, 0x1234_5678, Adoptions.CLAIMED);
    private static final Adopted DONE = new Adopted("/from/b", "b", 8, -1, Adoptions.DONE);
    private static final Adopted INTENDED = new Adopted("/from/c", "c", 9, 1, Adoptions.INTENDED);

    private final MemoryFileStore files = new MemoryFileStore();

    private Adoptions recovered() {
        final Adoptions adoptions = new Adoptions(new JobFiles(files, Path.of("/")));
        adoptions.recover();
        return adoptions;
    }

    private static byte[] golden() throws IOException {
        try (InputStream in = AdoptionsTest.class.getResourceAsStream("/golden/adopted-1.bin")) {
            return in.readAllBytes();
        }
    }

    @Test
    void shouldWriteTheGoldenFile() throws IOException {
        final Adoptions adoptions = recovered();

        List.of(CLAIMED, DONE, INTENDED).forEach(adoptions::put);

        assertArrayEquals(golden(), DurableFile.read(files, FILE, 1000));
    }

    @Test
    void shouldReadTheGoldenFile() throws IOException {
        DurableFile.replace(files, FILE, ByteBuffer.wrap(golden()));

        final Adoptions adoptions = recovered();

        assertEquals(CLAIMED, adoptions.findAt("/from/a"));
        assertEquals(DONE, adoptions.findAt("/from/b"));
        assertEquals(INTENDED, adoptions.findAt("/from/c"));
        assertNull(adoptions.findAt("/from/d"));
    }

    @Test
    void shouldRefuseEveryFlippedByte() throws IOException {
        final byte[] bytes = golden();
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] ^= 1;
            DurableFile.replace(files, FILE, ByteBuffer.wrap(bytes));
            assertThrows(CheckpointStorageException.class, this::recovered);
            bytes[i] ^= 1;
        }
    }

    @Test
    void shouldTakeAnIntentionForDoneIfTheCheckpointIsThereOnly() {
        final Adoptions adoptions = recovered();
        adoptions.put(INTENDED);
        adoptions.put(new Adopted("/from/d", "d", 10, 1, Adoptions.INTENDED));

        adoptions.resolve(List.of(3L, 9L));

        assertEquals(Adoptions.DONE, recovered().findAt("/from/c").step());
        assertNull(recovered().findAt("/from/d"));
    }

    @Test
    void shouldKnowASourceByWhatItIsAndByItsPath() {
        final Adoptions adoptions = recovered();
        adoptions.put(DONE);

        assertTrue(adoptions.has(new Adopted("/elsewhere", "b", 8, -1, Adoptions.INTENDED)));
        assertFalse(adoptions.has(new Adopted("/from/b", "b", 8, 5, Adoptions.INTENDED)));
        adoptions.put(new Adopted("/from/b", "x", 80, 5, Adoptions.DONE));
        assertEquals(80, adoptions.findAt("/from/b").checkpointId());
    }

    @Test
    void shouldForgetTheOldestOnly() {
        final Adoptions adoptions = recovered();
        for (int i = 1; i <= 300; i++) {
            adoptions.put(new Adopted("/" + i, "job", i, i, Adoptions.DONE));
        }

        assertNull(recovered().findAt("/1"));
        assertEquals(300, recovered().findAt("/300").checkpointId());
        assertEquals(100, recovered().findAt("/100").checkpointId());
    }
}
