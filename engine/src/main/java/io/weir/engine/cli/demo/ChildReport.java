package io.weir.engine.cli.demo;

import io.weir.engine.status.CheckpointStatus;
import io.weir.engine.status.JobState;
import io.weir.engine.status.JobStatus;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.zip.DataFormatException;
import org.HdrHistogram.Histogram;

/**
 * What a child tells its parent, a line for each fact, and how the parent reads it.
 *
 * <pre>
 *   running CHECKPOINT           restored from that checkpoint, 0 for none
 *   first-record
 *   checkpoints ID COUNT BYTES HISTOGRAM     the newest completed one, and all of this process
 *   replayed RECORDS NANOSECONDS
 *   error TEXT
 * </pre>
 */
public final class ChildReport {
    static final String RUNNING = "running ";
    static final String FIRST_RECORD = "first-record";
    static final String CHECKPOINTS = "checkpoints ";
    static final String REPLAYED = "replayed ";
    static final String ERROR = "error ";

    private final PrintStream out;
    private boolean isRunningTold;
    private boolean isFirstRecordTold;
    private long checkpointsTold;

    /**
     * Tells about one job.
     *
     * @param out the parent's end.
     */
    public ChildReport(final PrintStream out) {
        this.out = out;
    }

    /**
     * Tells what has become true since the last call.
     *
     * @param status of the job.
     * @param records that it has read.
     */
    public void watch(final JobStatus status, final long records) {
        if (!isRunningTold && status.state() == JobState.RUNNING) {
            isRunningTold = true;
            tell(RUNNING + status.restoredCheckpointId());
        }
        if (!isFirstRecordTold && records > 0) {
            isFirstRecordTold = true;
            tell(FIRST_RECORD);
        }
        final CheckpointStatus checkpoints = status.checkpoints();
        if (checkpoints.completed() > checkpointsTold) {
            checkpointsTold = checkpoints.completed();
            tell(CHECKPOINTS
                    + checkpoints.lastCompletedId()
                    + ' '
                    + checkpoints.completed()
                    + ' '
                    + checkpoints.totalBytes()
                    + ' '
                    + encode(checkpoints.durationNs()));
        }
    }

    /**
     * Tells the figures of a run at full speed.
     *
     * @param records that it has read.
     * @param tookNs from the start of the tasks until all output was committed.
     */
    public void replayed(final long records, final long tookNs) {
        tell(REPLAYED + records + ' ' + tookNs);
    }

    /** The figures of a line of {@link #CHECKPOINTS}. */
    static Checkpoints checkpoints(final String line) {
        final String[] fields = line.substring(CHECKPOINTS.length()).split(" ");
        return new Checkpoints(
                Long.parseLong(fields[0]), Long.parseLong(fields[1]), Long.parseLong(fields[2]), decode(fields[3]));
    }

    /**
     * Checkpoints of one child.
     *
     * @param lastId of the newest completed one.
     * @param count of completed ones.
     * @param bytes of all together.
     * @param durationNs from trigger until stored.
     */
    record Checkpoints(long lastId, long count, long bytes, Histogram durationNs) {}

    private void tell(final String line) {
        out.println(line);
        out.flush();
    }

    private static String encode(final Histogram histogram) {
        final ByteBuffer bytes = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
        final int length = histogram.encodeIntoCompressedByteBuffer(bytes);
        return Base64.getEncoder().encodeToString(java.util.Arrays.copyOf(bytes.array(), length));
    }

    private static Histogram decode(final String text) {
        try {
            return Histogram.decodeFromCompressedByteBuffer(
                    ByteBuffer.wrap(Base64.getDecoder().decode(text)), 0);
        } catch (final DataFormatException e) {
            throw new IllegalStateException("the child's checkpoint figures can't be read: " + text, e);
        }
    }
}
