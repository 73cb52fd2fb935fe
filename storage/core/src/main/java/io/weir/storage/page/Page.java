package io.weir.storage.page;

import io.weir.storage.frame.FrameSlabs;
import org.agrona.DirectBuffer;
import org.agrona.UnsafeApi;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A view of one page, little-endian. The first line is the header:
 *
 * <pre>
 *   0      8       16      20          24       28     29      30          31      32
 *   +------+-------+-------+-----------+--------+------+-------+-----------+-------+
 *   | mask | epoch | table | key group | number | kind | depth | slot bits | flags |
 *   +------+-------+-------+-----------+--------+------+-------+-----------+-------+
 *   32       36      40        42     44     46     48     52        56           64
 *   +--------+-------+---------+------+------+------+------+---------+------------+
 *   | prefix | count | touched | live | free | zero | next | payload | first time |
 *   +--------+-------+---------+------+------+------+------+---------+------------+
 * </pre>
 *
 * Mask, epoch and table are of the running store and zero in a segment:
 *
 * <ul>
 *   <li>mask: the lines written since the freeze before this epoch, one bit for each line of 64 bytes
 *   <li>epoch: of the first write after a freeze; the page is on that epoch's dirty list
 *   <li>table: index of the page's table in the store
 * </ul>
 *
 * The rest is told by the kinds: {@link HashPage}, {@link TimerPage}, {@link OverflowPages}.
 */
final class Page {
    /** Bytes in a page. */
    static final int LENGTH = FrameSlabs.FRAME_LENGTH;

    static final int LINE_LENGTH = 64;
    static final int HEADER_LENGTH = LINE_LENGTH;
    static final long ALL_LINES = -1L;
    static final int NO_PAGE = -1;

    static final byte FREE = 0;
    static final byte HASH = 1;
    static final byte OVERFLOW = 2;
    static final byte TIMERS = 3;

    /** A flag: the page goes on where another of the same hash prefix was full. */
    static final byte CHAINED = 1;

    private static final int MASK = 0;
    private static final int EPOCH = 8;
    private static final int TABLE = 16;
    private static final int KEY_GROUP = 20;
    private static final int NUMBER = 24;
    private static final int KIND = 28;
    private static final int DEPTH = 29;
    private static final int SLOT_BITS = 30;
    private static final int FLAGS = 31;
    private static final int PREFIX = 32;
    private static final int COUNT = 36;
    private static final int TOUCHED = 40;
    private static final int LIVE = 42;
    private static final int FREE_START = 44;
    private static final int NEXT = 48;
    private static final int PAYLOAD = 52;
    private static final int FIRST_TIME = 56;
    private static final int TRANSIENT_LENGTH = KEY_GROUP;
    private static final int LINE_SHIFT = 6;

    private static final int LONGEST_BY_WORDS = 64;

    private final UnsafeBuffer buffer = new UnsafeBuffer(0, 0);
    private byte[] array;
    private long address;
    private long wrapped;

    /** Looks at the page in a frame. */
    Page wrap(final long frame) {
        array = null;
        address = frame;
        return this;
    }

    /** Looks at a page in a heap buffer of exactly a page. */
    Page wrap(final DirectBuffer page) {
        buffer.wrap(page, 0, LENGTH);
        array = buffer.byteArray();
        address = buffer.addressOffset();
        wrapped = address;
        return this;
    }

    /** The page's bytes, until it is wrapped around others. */
    UnsafeBuffer buffer() {
        if (wrapped != address) {
            buffer.wrap(address, LENGTH);
            wrapped = address;
        }
        return buffer;
    }

    // What follows checks bounds in tests only: offsets come from the layout, and pages were checked as they came
    // into memory.

    long getLong(final int offset) {
        assert isInside(offset, Long.BYTES);
        return UnsafeApi.getLong(array, address + offset);
    }

    private void putLong(final int offset, final long value) {
        assert isInside(offset, Long.BYTES);
        UnsafeApi.putLong(array, address + offset, value);
    }

    int getInt(final int offset) {
        assert isInside(offset, Integer.BYTES);
        return UnsafeApi.getInt(array, address + offset);
    }

    private void putInt(final int offset, final int value) {
        assert isInside(offset, Integer.BYTES);
        UnsafeApi.putInt(array, address + offset, value);
    }

    short getShort(final int offset) {
        assert isInside(offset, Short.BYTES);
        return UnsafeApi.getShort(array, address + offset);
    }

    void putShort(final int offset, final short value) {
        assert isInside(offset, Short.BYTES);
        UnsafeApi.putShort(array, address + offset, value);
    }

    byte getByte(final int offset) {
        assert isInside(offset, Byte.BYTES);
        return UnsafeApi.getByte(array, address + offset);
    }

    private void putByte(final int offset, final byte value) {
        assert isInside(offset, Byte.BYTES);
        UnsafeApi.putByte(array, address + offset, value);
    }

    private static boolean isInside(final int offset, final int length) {
        return offset >= 0 && offset <= LENGTH - length;
    }

    /** Copies bytes into the page: few of them word by word, which costs less than a call. */
    void putBytes(final int offset, final DirectBuffer from, final int fromOffset, final int length) {
        if (length > LONGEST_BY_WORDS) {
            buffer().putBytes(offset, from, fromOffset, length);
            return;
        }
        int i = 0;
        for (; i + Long.BYTES <= length; i += Long.BYTES) {
            putLong(offset + i, from.getLong(fromOffset + i));
        }
        for (; i < length; i++) {
            putByte(offset + i, from.getByte(fromOffset + i));
        }
    }

    long address() {
        return address;
    }

    static void copy(final long from, final long to) {
        UnsafeApi.copyMemory(from, to, LENGTH);
    }

    /** Makes an empty page of a kind; all lines that are written here are marked. */
    void init(final byte kind) {
        final long epoch = epoch();
        final int table = table();
        final int keyGroup = keyGroup();
        final int number = number();
        buffer().setMemory(0, HEADER_LENGTH, (byte) 0);
        identify(table, keyGroup, number);
        epoch(epoch);
        putByte(KIND, kind);
        next(NO_PAGE);
        mask(ALL_LINES);
    }

    void identify(final int table, final int keyGroup, final int number) {
        putInt(TABLE, table);
        putInt(KEY_GROUP, keyGroup);
        putInt(NUMBER, number);
    }

    /** Zeroes what only the running store knows, for a segment. */
    static void clearTransients(final UnsafeBuffer page) {
        page.setMemory(0, TRANSIENT_LENGTH, (byte) 0);
    }

    long mask() {
        return getLong(MASK);
    }

    void mask(final long mask) {
        putLong(MASK, mask);
    }

    /** Marks the lines that hold some bytes, at least one. */
    void mark(final int offset, final int length) {
        final int first = offset >> LINE_SHIFT;
        final int last = (offset + length - 1) >> LINE_SHIFT;
        putLong(MASK, getLong(MASK) | ((-1L >>> (Long.SIZE - 1 - (last - first))) << first));
    }

    void markHeader() {
        putLong(MASK, getLong(MASK) | 1);
    }

    long epoch() {
        return getLong(EPOCH);
    }

    void epoch(final long epoch) {
        putLong(EPOCH, epoch);
    }

    int table() {
        return getInt(TABLE);
    }

    int keyGroup() {
        return getInt(KEY_GROUP);
    }

    int number() {
        return getInt(NUMBER);
    }

    byte kind() {
        return getByte(KIND);
    }

    int depth() {
        return getByte(DEPTH);
    }

    int slotBits() {
        return getByte(SLOT_BITS);
    }

    void slotBits(final int slotBits) {
        putByte(SLOT_BITS, (byte) slotBits);
    }

    boolean isChained() {
        return (getByte(FLAGS) & CHAINED) != 0;
    }

    void chained() {
        putByte(FLAGS, CHAINED);
    }

    /** The hash bits that all entries begin with, in the upper {@code depth} bits; the rest is zero. */
    int prefix() {
        return getInt(PREFIX);
    }

    void prefix(final int prefix, final int depth) {
        putInt(PREFIX, prefix);
        putByte(DEPTH, (byte) depth);
    }

    /** Entries in the page. */
    int count() {
        return getInt(COUNT);
    }

    void count(final int count) {
        putInt(COUNT, count);
    }

    /** Slots that are or were in use since they were laid out. */
    int touchedSlots() {
        return getShort(TOUCHED);
    }

    void touchedSlots(final int slots) {
        putShort(TOUCHED, (short) slots);
    }

    /** Bytes of the entries that are there. */
    int liveBytes() {
        return getShort(LIVE);
    }

    void liveBytes(final int bytes) {
        putShort(LIVE, (short) bytes);
    }

    /** Where the next entry goes. */
    int freeStart() {
        return getShort(FREE_START);
    }

    void freeStart(final int offset) {
        putShort(FREE_START, (short) offset);
    }

    /** The number of the page that goes on, or {@link #NO_PAGE}. */
    int next() {
        return getInt(NEXT) - 1;
    }

    void next(final int number) {
        putInt(NEXT, number + 1);
    }

    /** Bytes of payload in an overflow page. */
    int payloadLength() {
        return getInt(PAYLOAD);
    }

    void payloadLength(final int length) {
        putInt(PAYLOAD, length);
    }

    /** The time of the first timer in a page of timers. */
    long firstTime() {
        return getLong(FIRST_TIME);
    }

    void firstTime(final long time) {
        putLong(FIRST_TIME, time);
    }
}
