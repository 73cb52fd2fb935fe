package io.weir.storage.chronicle;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.weir.storage.log.LogException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.zip.CRC32C;

/**
 * Names a prepared transaction and says what its staging file must hold.
 *
 * <pre>
 *   0      4        8        16           24        32            40      48     56        60       68          n
 *   +------+--------+--------+------------+---------+-------------+-------+------+---------+--------+-----------+--------+
 *   | magic| version| attempt| incarnation| sequence| checkpointId| length| count| checksum| lineage| writer id | CRC32C |
 *   +------+--------+--------+------------+---------+-------------+-------+------+---------+--------+-----------+--------+
 *   little-endian; the writer id is its length (4) and its UTF-8 bytes; CRC32C (4) is of all before it
 * </pre>
 *
 * <p>Version 1 had no lineage.
 *
 * @param writerId of the writer that prepared it.
 * @param attempt of that writer.
 * @param incarnation a random number drawn each time a writer is opened: no run is ever taken for another one, even if it
 *     uses the same names and attempts again.
 * @param sequence of the transaction within its incarnation, from 1.
 * @param checkpointId it belongs to.
 * @param length of the staged frames in bytes.
 * @param count of records.
 * @param checksum CRC32C of the staged frames.
 * @param lineage a random number that is the same in all checkpoints which go on from each other, {@link #NO_LINEAGE} if it is
 *     unknown: checkpoint ids are compared within one only.
 */
record TransactionHandle(
        String writerId,
        long attempt,
        long incarnation,
        long sequence,
        long checkpointId,
        long length,
        long count,
        int checksum,
        long lineage) {
    /** Of a writer without a family, and of a handle of version 1. */
    static final long NO_LINEAGE = 0;

    private static final int MAGIC = 0x54586557;
    private static final int VERSION = 2;
    private static final int VERSION_WITHOUT_LINEAGE = 1;
    private static final int FIXED_LENGTH = 72;
    private static final int FIXED_LENGTH_WITHOUT_LINEAGE = 64;

    /** Names a transaction of which no more is known than that it was committed. */
    static TransactionHandle committed(final String writerId, final long incarnation, final long sequence) {
        return new TransactionHandle(writerId, 0, incarnation, sequence, 0, 0, 0, 0, NO_LINEAGE);
    }

    /**
     * Names how far a family has come: in the journal a family stands as a writer does, its lineages as incarnations, checkpoint
     * ids as sequences.
     */
    static TransactionHandle ofFamily(final String family, final long lineage, final long checkpointId) {
        return committed(family, lineage, checkpointId);
    }

    byte[] encode() {
        final byte[] writer = writerId.getBytes(UTF_8);
        final ByteBuffer bytes = ByteBuffer.allocate(FIXED_LENGTH + writer.length + Integer.BYTES)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt(MAGIC)
                .putInt(VERSION)
                .putLong(attempt)
                .putLong(incarnation)
                .putLong(sequence)
                .putLong(checkpointId)
                .putLong(length)
                .putLong(count)
                .putInt(checksum)
                .putLong(lineage)
                .putInt(writer.length)
                .put(writer);
        bytes.putInt(checksumOf(bytes.array(), bytes.position()));
        return bytes.array();
    }

    static TransactionHandle decode(final byte[] encoded) {
        final ByteBuffer bytes = ByteBuffer.wrap(encoded).order(ByteOrder.LITTLE_ENDIAN);
        try {
            final int magic = bytes.getInt();
            final int version = bytes.getInt();
            if (magic != MAGIC || (version != VERSION && version != VERSION_WITHOUT_LINEAGE)) {
                throw new LogException("not a transaction handle of version 1 or " + VERSION + ": magic "
                        + Integer.toHexString(magic) + ", version " + version);
            }
            final long attempt = bytes.getLong();
            final long incarnation = bytes.getLong();
            final long sequence = bytes.getLong();
            final long checkpointId = bytes.getLong();
            final long length = bytes.getLong();
            final long count = bytes.getLong();
            final int checksum = bytes.getInt();
            final long lineage = version == VERSION ? bytes.getLong() : NO_LINEAGE;
            final int writerLength = bytes.getInt();
            final int fixedLength = version == VERSION ? FIXED_LENGTH : FIXED_LENGTH_WITHOUT_LINEAGE;
            if (writerLength != encoded.length - fixedLength - Integer.BYTES
                    || bytes.getInt(encoded.length - Integer.BYTES)
                            != checksumOf(encoded, encoded.length - Integer.BYTES)) {
                throw new LogException("a transaction handle of " + encoded.length + " bytes fails its checksum");
            }
            final String writer = new String(encoded, fixedLength, writerLength, UTF_8);
            return new TransactionHandle(
                    writer, attempt, incarnation, sequence, checkpointId, length, count, checksum, lineage);
        } catch (final BufferUnderflowException ex) {
            throw new LogException("a transaction handle of " + encoded.length + " bytes is too short", ex);
        }
    }

    /** The staging file's name without its ending: starts with {@link #namePrefix} of its writer. */
    String stagingName() {
        return stagingName(writerId, attempt, incarnation, sequence);
    }

    static String stagingName(final String writerId, final long attempt, final long incarnation, final long sequence) {
        return namePrefix(writerId) + attempt + '-' + HexFormat.of().toHexDigits(incarnation) + '-' + sequence;
    }

    /** A digest, because a writer id may hold what a file name may not, and be longer. */
    static String namePrefix(final String writerId) {
        return HexFormat.of().toHexDigits(writerDigest(writerId)) + '-';
    }

    /** Stands for a writer id where it has to be short. */
    static long writerDigest(final String writerId) {
        try {
            return ByteBuffer.wrap(MessageDigest.getInstance("SHA-256").digest(writerId.getBytes(UTF_8)))
                    .getLong();
        } catch (final NoSuchAlgorithmException ex) {
            throw new IllegalStateException(ex);
        }
    }

    /** The family of its writer, or null if it has none or none is known to the handle. */
    String family() {
        return lineage == NO_LINEAGE ? null : WriterFamily.of(writerId);
    }

    String describe() {
        return "transaction " + sequence + " of writer " + writerId + " attempt " + attempt + " for checkpoint "
                + checkpointId;
    }

    private static int checksumOf(final byte[] bytes, final int length) {
        final CRC32C checksum = new CRC32C();
        checksum.update(bytes, 0, length);
        return (int) checksum.getValue();
    }
}
