package io.weir.storage.page;

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
    static final int LENGTH = 4096;

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

    private final UnsafeBuffer buffer = new UnsafeBuffer(0, 0);
    private long address;

    /** Looks at the page in a frame. */
    Page wrap(final long frame) {
        address = frame;
        buffer.wrap(frame, LENGTH);
        return this;
    }

    /** Looks at a page in a heap buffer of exactly a page. */
    Page wrap(final DirectBuffer page) {
        address = 0;
        buffer.wrap(page, 0, LENGTH);
        return this;
    }

    UnsafeBuffer buffer() {
        return buffer;
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
        buffer.setMemory(0, HEADER_LENGTH, (byte) 0);
        identify(table, keyGroup, number);
        epoch(epoch);
        buffer.putByte(KIND, kind);
        next(NO_PAGE);
        mask(ALL_LINES);
    }

    void identify(final int table, final int keyGroup, final int number) {
        buffer.putInt(TABLE, table);
        buffer.putInt(KEY_GROUP, keyGroup);
        buffer.putInt(NUMBER, number);
    }

    /** Zeroes what only the running store knows, for a segment. */
    static void clearTransients(final UnsafeBuffer page) {
        page.setMemory(0, TRANSIENT_LENGTH, (byte) 0);
    }

    long mask() {
        return buffer.getLong(MASK);
    }

    void mask(final long mask) {
        buffer.putLong(MASK, mask);
    }

    /** Marks the lines that hold some bytes, at least one. */
    void mark(final int offset, final int length) {
        final int first = offset >> LINE_SHIFT;
        final int last = (offset + length - 1) >> LINE_SHIFT;
        buffer.putLong(MASK, buffer.getLong(MASK) | ((-1L >>> (Long.SIZE - 1 - (last - first))) << first));
    }

    void markHeader() {
        buffer.putLong(MASK, buffer.getLong(MASK) | 1);
    }

    long epoch() {
        return buffer.getLong(EPOCH);
    }

    void epoch(final long epoch) {
        buffer.putLong(EPOCH, epoch);
    }

    int table() {
        return buffer.getInt(TABLE);
    }

    int keyGroup() {
        return buffer.getInt(KEY_GROUP);
    }

    int number() {
        return buffer.getInt(NUMBER);
    }

    byte kind() {
        return buffer.getByte(KIND);
    }

    void kind(final byte kind) {
        buffer.putByte(KIND, kind);
    }

    int depth() {
        return buffer.getByte(DEPTH);
    }

    int slotBits() {
        return buffer.getByte(SLOT_BITS);
    }

    void slotBits(final int slotBits) {
        buffer.putByte(SLOT_BITS, (byte) slotBits);
    }

    boolean isChained() {
        return (buffer.getByte(FLAGS) & CHAINED) != 0;
    }

    void chained() {
        buffer.putByte(FLAGS, CHAINED);
    }

    /** The hash bits that all entries begin with, in the upper {@code depth} bits; the rest is zero. */
    int prefix() {
        return buffer.getInt(PREFIX);
    }

    void prefix(final int prefix, final int depth) {
        buffer.putInt(PREFIX, prefix);
        buffer.putByte(DEPTH, (byte) depth);
    }

    /** Entries in the page. */
    int count() {
        return buffer.getInt(COUNT);
    }

    void count(final int count) {
        buffer.putInt(COUNT, count);
    }

    /** Slots that are or were in use since they were laid out. */
    int touchedSlots() {
        return buffer.getShort(TOUCHED);
    }

    void touchedSlots(final int slots) {
        buffer.putShort(TOUCHED, (short) slots);
    }

    /** Bytes of the entries that are there. */
    int liveBytes() {
        return buffer.getShort(LIVE);
    }

    void liveBytes(final int bytes) {
        buffer.putShort(LIVE, (short) bytes);
    }

    /** Where the next entry goes. */
    int freeStart() {
        return buffer.getShort(FREE_START);
    }

    void freeStart(final int offset) {
        buffer.putShort(FREE_START, (short) offset);
    }

    /** The number of the page that goes on, or {@link #NO_PAGE}. */
    int next() {
        return buffer.getInt(NEXT) - 1;
    }

    void next(final int number) {
        buffer.putInt(NEXT, number + 1);
    }

    /** Bytes of payload in an overflow page. */
    int payloadLength() {
        return buffer.getInt(PAYLOAD);
    }

    void payloadLength(final int length) {
        buffer.putInt(PAYLOAD, length);
    }

    /** The time of the first timer in a page of timers. */
    long firstTime() {
        return buffer.getLong(FIRST_TIME);
    }

    void firstTime(final long time) {
        buffer.putLong(FIRST_TIME, time);
    }
}
