package io.weir.transport.aeron;

import io.aeron.CommonContext;
import io.aeron.logbuffer.LogBufferDescriptor;
import io.aeron.protocol.DataHeaderFlyweight;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.agrona.BitUtil;
import org.agrona.ErrorHandler;
import org.agrona.SystemUtil;

/**
 * The options of an {@link AeronTransport}. Each starts from its system property; lengths there take the suffixes k, m
 * and g, durations ns, us, ms and s. Not for sharing between threads.
 */
public final class AeronContext {
    /** Property: the directory of an external media driver; none means an embedded one. */
    public static final String AERON_DIRECTORY_PROPERTY = CommonContext.AERON_DIR_PROP_NAME;

    /** Property: the folder for the directories of embedded drivers; none means shared memory where there is some. */
    public static final String EMBEDDED_PARENT_PROPERTY = "weir.transport.embedded.parent";

    /**
     * Property: bytes of a term of a data stream, at the most; a stream takes three, and half a term can be in flight. Where
     * there are many channels the terms are shorter, see {@link #CHANNEL_BUDGET_PROPERTY}.
     */
    public static final String DATA_TERM_LENGTH_PROPERTY = "weir.transport.data.term.length";

    /** Default of {@link #DATA_TERM_LENGTH_PROPERTY}. */
    public static final int DATA_TERM_LENGTH_DEFAULT = 1024 * 1024;

    /** Property: bytes of a term of a control stream. */
    public static final String CONTROL_TERM_LENGTH_PROPERTY = "weir.transport.control.term.length";

    /** Default of {@link #CONTROL_TERM_LENGTH_PROPERTY}. */
    public static final int CONTROL_TERM_LENGTH_DEFAULT = 64 * 1024;

    /** Property: bytes of the longest frame, Aeron's header included. */
    public static final String MTU_LENGTH_PROPERTY = "weir.transport.mtu.length";

    /** Default of {@link #MTU_LENGTH_PROPERTY}. */
    public static final int MTU_LENGTH_DEFAULT = 16 * 1024;

    /** Property: bytes of the longest record, its header and padding included. */
    public static final String MAX_RECORD_LENGTH_PROPERTY = "weir.transport.max.record.length";

    /** Default of {@link #MAX_RECORD_LENGTH_PROPERTY}. */
    public static final int MAX_RECORD_LENGTH_DEFAULT = 4 * 1024 * 1024;

    /**
     * Property: bytes that the buffers of all channels shall take together. Terms of data streams are halved, down to 64 KiB,
     * until they do; and until they take no more than half of what is free in the driver's directory.
     */
    public static final String CHANNEL_BUDGET_PROPERTY = "weir.transport.channel.budget";

    /** Default of {@link #CHANNEL_BUDGET_PROPERTY}. */
    public static final long CHANNEL_BUDGET_DEFAULT = 1024L * 1024 * 1024;

    /** Property: how long an external driver may be silent, also when connecting. */
    public static final String DRIVER_TIMEOUT_PROPERTY = "weir.transport.driver.timeout";

    /** Default of {@link #DRIVER_TIMEOUT_PROPERTY}. */
    public static final long DRIVER_TIMEOUT_DEFAULT_NS = TimeUnit.SECONDS.toNanos(10);

    /** A term holds this many of the longest frames at least, so that the window never runs over a term. */
    static final int FRAMES_PER_TERM = 8;

    private static final int MIN_MTU_LENGTH = 512;
    private static final int MAX_MTU_LENGTH = 65504;
    private static final int MIN_MAX_RECORD_LENGTH = 1024 * 1024;
    private static final int MAX_MAX_RECORD_LENGTH = 1024 * 1024 * 1024;
    private static final System.Logger LOGGER = System.getLogger("io.weir.transport");

    private String aeronDirectory = System.getProperty(AERON_DIRECTORY_PROPERTY);
    private String embeddedParent = System.getProperty(EMBEDDED_PARENT_PROPERTY);
    private int dataTermLength = SystemUtil.getSizeAsInt(DATA_TERM_LENGTH_PROPERTY, DATA_TERM_LENGTH_DEFAULT);
    private int controlTermLength = SystemUtil.getSizeAsInt(CONTROL_TERM_LENGTH_PROPERTY, CONTROL_TERM_LENGTH_DEFAULT);
    private int mtuLength = SystemUtil.getSizeAsInt(MTU_LENGTH_PROPERTY, MTU_LENGTH_DEFAULT);
    private int maxRecordLength = SystemUtil.getSizeAsInt(MAX_RECORD_LENGTH_PROPERTY, MAX_RECORD_LENGTH_DEFAULT);
    private long channelBudget = SystemUtil.getSizeAsLong(CHANNEL_BUDGET_PROPERTY, CHANNEL_BUDGET_DEFAULT);
    private long driverTimeoutNs = SystemUtil.getDurationInNanos(DRIVER_TIMEOUT_PROPERTY, DRIVER_TIMEOUT_DEFAULT_NS);
    private ErrorHandler errorHandler =
            throwable -> LOGGER.log(System.Logger.Level.ERROR, "media driver or client reports an error", throwable);

    /**
     * The directory of an external driver.
     *
     * @param aeronDirectory of the driver, or null to embed one.
     * @return this.
     */
    public AeronContext aeronDirectory(final String aeronDirectory) {
        this.aeronDirectory = aeronDirectory;
        return this;
    }

    /**
     * The folder in which embedded drivers make their directories.
     *
     * @param embeddedParent an existing folder, or null for shared memory where there is some.
     * @return this.
     */
    public AeronContext embeddedParent(final Path embeddedParent) {
        this.embeddedParent = embeddedParent == null ? null : embeddedParent.toString();
        return this;
    }

    /**
     * The length of a term of a data stream, at the most.
     *
     * @param dataTermLength in bytes, a power of two in [64 KiB, 1 GiB].
     * @return this.
     */
    public AeronContext dataTermLength(final int dataTermLength) {
        this.dataTermLength = dataTermLength;
        return this;
    }

    /**
     * The length of a term of a control stream.
     *
     * @param controlTermLength in bytes, a power of two in [64 KiB, 1 GiB].
     * @return this.
     */
    public AeronContext controlTermLength(final int controlTermLength) {
        this.controlTermLength = controlTermLength;
        return this;
    }

    /**
     * The longest frame.
     *
     * @param mtuLength in bytes, a multiple of 32 in [512, 65504], at most an eighth of a data term.
     * @return this.
     */
    public AeronContext mtuLength(final int mtuLength) {
        this.mtuLength = mtuLength;
        return this;
    }

    /**
     * The longest record.
     *
     * @param maxRecordLength in bytes, header and padding included, a multiple of 8 in [1 MiB, 1 GiB].
     * @return this.
     */
    public AeronContext maxRecordLength(final int maxRecordLength) {
        this.maxRecordLength = maxRecordLength;
        return this;
    }

    /**
     * What the buffers of all channels shall take together.
     *
     * @param channelBudget in bytes, at least 1.
     * @return this.
     */
    public AeronContext channelBudget(final long channelBudget) {
        this.channelBudget = channelBudget;
        return this;
    }

    /**
     * How long an external driver may be silent until it is taken for dead.
     *
     * @param driverTimeoutNs in nanoseconds, at least 1 ms.
     * @return this.
     */
    public AeronContext driverTimeoutNs(final long driverTimeoutNs) {
        this.driverTimeoutNs = driverTimeoutNs;
        return this;
    }

    /**
     * Told what goes wrong in the driver and the client while they are pumped; may be called by any thread.
     *
     * @param errorHandler that takes the errors; the default logs them.
     * @return this.
     */
    public AeronContext errorHandler(final ErrorHandler errorHandler) {
        this.errorHandler = errorHandler;
        return this;
    }

    AeronSettings conclude() {
        Objects.requireNonNull(errorHandler, "errorHandler");
        checkTermLength("dataTermLength", dataTermLength);
        checkTermLength("controlTermLength", controlTermLength);
        check("mtuLength", mtuLength, MIN_MTU_LENGTH, MAX_MTU_LENGTH, DataHeaderFlyweight.HEADER_LENGTH);
        check("maxRecordLength", maxRecordLength, MIN_MAX_RECORD_LENGTH, MAX_MAX_RECORD_LENGTH, Long.BYTES);
        if (mtuLength > dataTermLength / FRAMES_PER_TERM) {
            throw new IllegalArgumentException("mtuLength=" + mtuLength + " must be <= dataTermLength / "
                    + FRAMES_PER_TERM + " = " + dataTermLength / FRAMES_PER_TERM);
        }
        if (channelBudget < 1) {
            throw new IllegalArgumentException("channelBudget=" + channelBudget + " must be >= 1");
        }
        if (driverTimeoutNs < TimeUnit.MILLISECONDS.toNanos(1)) {
            throw new IllegalArgumentException("driverTimeoutNs=" + driverTimeoutNs + " must be >= 1000000");
        }
        return new AeronSettings(
                aeronDirectory,
                embeddedParent,
                dataTermLength,
                controlTermLength,
                mtuLength,
                maxRecordLength,
                channelBudget,
                driverTimeoutNs,
                errorHandler);
    }

    private static void checkTermLength(final String name, final int length) {
        if (length < LogBufferDescriptor.TERM_MIN_LENGTH
                || length > LogBufferDescriptor.TERM_MAX_LENGTH
                || !BitUtil.isPowerOfTwo(length)) {
            throw new IllegalArgumentException(name + '=' + length + " must be a power of two in ["
                    + LogBufferDescriptor.TERM_MIN_LENGTH + ", " + LogBufferDescriptor.TERM_MAX_LENGTH + ']');
        }
    }

    private static void check(final String name, final int value, final int min, final int max, final int multiple) {
        if (value < min || value > max || value % multiple != 0) {
            throw new IllegalArgumentException(
                    name + '=' + value + " must be a multiple of " + multiple + " in [" + min + ", " + max + ']');
        }
    }

    @Override
    public String toString() {
        return "AeronContext{aeronDirectory=" + aeronDirectory
                + ", embeddedParent=" + embeddedParent
                + ", dataTermLength=" + dataTermLength
                + ", controlTermLength=" + controlTermLength
                + ", mtuLength=" + mtuLength
                + ", maxRecordLength=" + maxRecordLength
                + ", channelBudget=" + channelBudget
                + ", driverTimeoutNs=" + driverTimeoutNs
                + ", errorHandler=" + errorHandler
                + '}';
    }
}
