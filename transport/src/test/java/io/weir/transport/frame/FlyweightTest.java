package io.weir.transport.frame;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HexFormat;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

class FlyweightTest {
    private static final int OFFSET = 16;

    private final UnsafeBuffer buffer = new UnsafeBuffer(new byte[256]);
    private final FrameStamp stamp = new FrameStamp(0x01020304, 5);

    @Test
    void shouldWriteTheHeaderOfEveryFrame() {
        IdleFlyweight.put(buffer, OFFSET, stamp);
        WatermarkFlyweight.put(buffer, OFFSET, stamp, 77);
        assertEquals(FrameFlyweight.VERSION, FrameFlyweight.version(buffer, OFFSET));
        assertEquals(FrameFlyweight.WATERMARK, FrameFlyweight.type(buffer, OFFSET));
        assertEquals(0, FrameFlyweight.flags(buffer, OFFSET));
        assertEquals(0x01020304, FrameFlyweight.attempt(buffer, OFFSET));
        assertEquals(5, FrameFlyweight.channelIndex(buffer, OFFSET));
        assertEquals(8, FrameFlyweight.bodyLength(buffer, OFFSET));
        assertEquals(1, FrameFlyweight.sequence(buffer, OFFSET));
        assertEquals(77, WatermarkFlyweight.watermarkNs(buffer, OFFSET));
    }

    @Test
    void shouldKeepTheBytesOfVersionOne() {
        DataFlyweight.put(
                buffer, 0, stamp, DataFlyweight.WHOLE, new UnsafeBuffer(new byte[] {1, 2, 3, 4, 5, 6, 7, 8}), 0, 8);
        assertEquals("0101030004030201" + "0500000008000000" + "0000000000000000" + "0102030405060708", hex(32));
        BarrierFlyweight.put(buffer, 0, stamp, 0x0A, 0x0B, 0x0C);
        assertEquals(
                "0104000004030201" + "0500000018000000" + "0100000000000000" + "0a00000000000000" + "0b00000000000000"
                        + "0c00000000000000",
                hex(BarrierFlyweight.LENGTH));
        AnnouncementFlyweight.put(buffer, 0, stamp, 0x0A, 0x0B, 0x0C, 0x0D);
        assertEquals(
                "0107000004030201" + "0500000020000000" + "0200000000000000" + "0a00000000000000" + "0b00000000000000"
                        + "0c00000000000000" + "0d00000000000000",
                hex(AnnouncementFlyweight.LENGTH));
        CancellationFlyweight.put(buffer, 0, stamp, 0x0A);
        assertEquals("0105000004030201" + "0500000008000000" + "0300000000000000" + "0a00000000000000", hex(32));
        IdleFlyweight.put(buffer, 0, stamp);
        assertEquals("0103000004030201" + "0500000000000000" + "0400000000000000", hex(24));
        EndOfDataFlyweight.put(buffer, 0, stamp);
        assertEquals("0106000004030201" + "0500000000000000" + "0500000000000000", hex(24));
        RecordFlyweight.putHeader(buffer, 0, 0x0A, 0x0B, 3);
        assertEquals("0300000001000000" + "0a00000000000000" + "0b00000000000000", hex(24));
    }

    @Test
    void shouldNameTheFaultOfAFrame() {
        assertFault("at least 24 bytes, found 23", 23);
        BarrierFlyweight.put(buffer, OFFSET, stamp, 1, 2, 3);
        assertNull(FrameFlyweight.fault(buffer, OFFSET, BarrierFlyweight.LENGTH));
        assertFault("expected a body of 16 bytes, found a header that tells 24", BarrierFlyweight.LENGTH - 8);
        buffer.putInt(OFFSET + BarrierFlyweight.RESERVED_OFFSET, 1);
        assertFault("expected reserved bits of zero in a BARRIER frame, found 0x1", BarrierFlyweight.LENGTH);
        buffer.putShort(OFFSET + FrameFlyweight.FLAGS_OFFSET, (short) 2);
        assertFault("expected a BARRIER frame without flags, found 0x2", BarrierFlyweight.LENGTH);
        buffer.putByte(OFFSET + FrameFlyweight.TYPE_OFFSET, (byte) 8);
        assertFault("expected a frame type of 1 to 7, found 8", BarrierFlyweight.LENGTH);
        buffer.putByte(OFFSET + FrameFlyweight.VERSION_OFFSET, (byte) 2);
        assertFault("expected frame version 1, found 2", BarrierFlyweight.LENGTH);
        AnnouncementFlyweight.put(buffer, OFFSET, stamp, 1, 2, 3, -4);
        assertFault("expected an announced position of at least 0, found -4", AnnouncementFlyweight.LENGTH);
    }

    @Test
    void shouldNameTheFaultOfADataFrame() {
        final UnsafeBuffer source = new UnsafeBuffer(new byte[32]);
        DataFlyweight.put(buffer, OFFSET, stamp, 4, source, 0, 8);
        assertFault("expected flags of BEGIN and END in a DATA frame, found 0x4", 32);
        DataFlyweight.put(buffer, OFFSET, stamp, DataFlyweight.WHOLE, source, 0, 4);
        assertFault("expected a batch whose length is a multiple of 8, found 4", 28);
        DataFlyweight.put(buffer, OFFSET, stamp, DataFlyweight.BEGIN, source, 0, 0);
        assertFault("expected a DATA frame with a body, found none", 24);
        DataFlyweight.put(buffer, OFFSET, stamp, DataFlyweight.BEGIN, source, 0, 4);
        assertNull(FrameFlyweight.fault(buffer, OFFSET, 28));
    }

    @Test
    void shouldNameTheFaultOfARecord() {
        assertRecordFault("expected a record header of 16 bytes, found 8", 8);
        RecordFlyweight.putHeader(buffer, OFFSET, 1, Long.MIN_VALUE, 8);
        assertNull(RecordFlyweight.fault(buffer, OFFSET, 24));
        assertRecordFault("expected a record that fits in 16 bytes, found one with a value of 8", 16);
        RecordFlyweight.putHeader(buffer, OFFSET, 1, 2, 8);
        assertRecordFault("expected a record that fits in 24 bytes, found one with a value of 8", 24);
        RecordFlyweight.putHeader(buffer, OFFSET, 1, Long.MIN_VALUE, -1);
        assertRecordFault("found one with a value of -1", 64);
        RecordFlyweight.putHeader(buffer, OFFSET, 1, Long.MIN_VALUE, Integer.MAX_VALUE);
        assertRecordFault("found one with a value of 2147483647", 64);
        buffer.putInt(OFFSET + RecordFlyweight.FLAGS_OFFSET, 2);
        assertRecordFault("expected record flags of 0 or 1, found 0x2", 64);
    }

    private void assertFault(final String expected, final int length) {
        assertContains(expected, FrameFlyweight.fault(buffer, OFFSET, length));
    }

    private void assertRecordFault(final String expected, final int available) {
        assertContains(expected, RecordFlyweight.fault(buffer, OFFSET, available));
    }

    private static void assertContains(final String expected, final String fault) {
        assertNotNull(fault, expected);
        assertTrue(fault.contains(expected), fault);
    }

    private String hex(final int length) {
        return HexFormat.of().formatHex(buffer.byteArray(), 0, length);
    }
}
