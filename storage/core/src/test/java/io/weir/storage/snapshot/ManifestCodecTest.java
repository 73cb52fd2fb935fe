package io.weir.storage.snapshot;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

final class ManifestCodecTest {
    /** The manifest that the golden file of version 1 holds. */
    static final Manifest GOLDEN_1 = new Manifest(
            "vwap – größer",
            42,
            7,
            1_700_000_000_123L,
            128,
            "heap",
            List.of(
                    new Manifest.TaskPart(
                            "source",
                            List.of("source", "parse"),
                            0,
                            2,
                            false,
                            new SegmentHandle("chk-42/source-0.segment", 4096, 0xCAFEBABE, 3),
                            List.of()),
                    new Manifest.TaskPart("source", List.of("source", "parse"), 1, 2, true, null, List.of()),
                    new Manifest.TaskPart(
                            "window",
                            List.of(),
                            0,
                            1,
                            false,
                            new SegmentHandle("chk-42/window-0.segment", 1L << 40, -1, 1L << 33),
                            List.of())));

    /** The manifest that the golden file of version 2 holds. */
    static final Manifest GOLDEN_2 = new Manifest(
            "vwap – größer",
            42,
            7,
            1_700_000_000_123L,
            128,
            "pages",
            List.of(
                    new Manifest.TaskPart(
                            "window",
                            List.of("window", "format"),
                            0,
                            2,
                            false,
                            new SegmentHandle("chk-42/0-window-0.segment", 4096, 0xCAFEBABE, 3),
                            List.of(
                                    new SegmentHandle("shared/7-0-window-0-base.pages", 1L << 40, -1, 1L << 33),
                                    new SegmentHandle("shared/42-0-window-0-delta.pages", 8192, 1, 2))),
                    new Manifest.TaskPart(
                            "window",
                            List.of("window", "format"),
                            1,
                            2,
                            true,
                            null,
                            List.of(new SegmentHandle("shared/7-0-window-0-base.pages", 1L << 40, -1, 1L << 33)))));

    private static Manifest with(final Manifest.TaskPart task) {
        return new Manifest("job", 1, 1, 0, 128, "heap", List.of(task));
    }

    @Test
    void shouldReadWhatWasWritten() {
        final Manifest empty = new Manifest("j", 1, 1, 0, 1, "heap", List.of());

        for (final Manifest manifest : List.of(GOLDEN_1, GOLDEN_2)) {
            assertEquals(manifest, ManifestCodec.decode("m", ManifestCodec.encode(manifest)));
        }
        assertEquals(empty, ManifestCodec.decode("m", ManifestCodec.encode(empty)));
    }

    @Test
    void shouldReadTheGoldenFileOfVersion1() throws Exception {
        assertEquals(GOLDEN_1, ManifestCodec.decode("m", Golden.bytes("manifest-1.bin")));
    }

    @Test
    void shouldWriteAndReadTheGoldenFileOfVersion2() throws Exception {
        final byte[] golden = Golden.bytes("manifest-2.bin");

        assertArrayEquals(golden, ManifestCodec.encode(GOLDEN_2));
        assertEquals(GOLDEN_2, ManifestCodec.decode("m", golden));
    }

    @Test
    void shouldRefuseToWriteWhatCanNotBeRight() {
        final SegmentHandle segment = new SegmentHandle("s", 1, 1, 1);
        for (final Manifest wrong : List.of(
                new Manifest(" ", 1, 1, 0, 128, "heap", List.of()),
                new Manifest("job", 0, 1, 0, 128, "heap", List.of()),
                new Manifest("job", 1, 1, 0, 0, "heap", List.of()),
                new Manifest("job", 1, 1, 0, 128, " ", List.of()),
                new Manifest("\ud800", 1, 1, 0, 128, "heap", List.of()),
                with(new Manifest.TaskPart("v", List.of(), 2, 2, false, segment, List.of())),
                with(new Manifest.TaskPart("v", List.of(), -1, 2, false, segment, List.of())),
                with(new Manifest.TaskPart("v", List.of(), 0, 2, false, new SegmentHandle("s", -1, 1, 1), List.of())),
                with(new Manifest.TaskPart(
                        "v", List.of(), 0, 2, false, segment, List.of(new SegmentHandle("a", 1, 1, -1)))),
                with(new Manifest.TaskPart("v", List.of(), 0, 2, false, null, List.of(segment, segment))),
                new Manifest(
                        "job",
                        1,
                        1,
                        0,
                        128,
                        "heap",
                        List.of(
                                new Manifest.TaskPart("v", List.of(), 0, 2, false, null, List.of(segment)),
                                new Manifest.TaskPart(
                                        "v",
                                        List.of(),
                                        1,
                                        2,
                                        false,
                                        null,
                                        List.of(new SegmentHandle("s", 2, 1, 1))))))) {
            assertThrows(IllegalArgumentException.class, () -> ManifestCodec.encode(wrong), wrong::toString);
        }
    }

    @Test
    void shouldNameFileOffsetExpectedAndFoundVersion() {
        final byte[] newer = new FieldWriter().putString("job").seal(0x494E414D52494557L, 3);

        final CorruptionException e =
                assertThrows(CorruptionException.class, () -> ManifestCodec.decode("chk-1/manifest", newer));

        assertEquals("chk-1/manifest at offset 8: expected version 1 or 2, found 3", e.getMessage());
    }

    @Test
    void shouldRefuseBytesBehindTheLastField() {
        for (int version = 1; version <= 2; version++) {
            final FieldWriter fields = new FieldWriter()
                    .putString("job")
                    .putLong(1)
                    .putLong(1)
                    .putLong(0)
                    .putInt(128);
            if (version == 2) {
                fields.putString("heap");
            }
            final byte[] longer = fields.putInt(0).putInt(99).seal(0x494E414D52494557L, version);

            final CorruptionException e =
                    assertThrows(CorruptionException.class, () -> ManifestCodec.decode("m", longer));

            assertTrue(e.getMessage().contains("end of the fields"), e::getMessage);
        }
    }
}
