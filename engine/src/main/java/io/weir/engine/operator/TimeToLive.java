package io.weir.engine.operator;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import io.weir.engine.api.StateTtl;
import io.weir.engine.api.StateTtl.Renewal;
import io.weir.storage.state.StateDescriptor.Expiry;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/** The time-to-live of one state: values begin with a stamp, the 8 bytes of the time at which they were renewed. */
final class TimeToLive {
    static final int STAMP_LENGTH = Long.BYTES;
    private static final int STAMP_OFFSET = 0;

    private final StateTtl setting;
    private final OperatorContext context;
    private final Expiry expiry;

    TimeToLive(final StateTtl setting, final OperatorContext context) {
        this.setting = setting;
        this.context = context;
        expiry = new Expiry(STAMP_OFFSET, setting.ttlNs());
    }

    /** The bytes that a value carries in front. */
    static int prefix(final TimeToLive ttl) {
        return ttl == null ? 0 : STAMP_LENGTH;
    }

    /** The signature of values that carry a stamp. */
    static String signature(final String codec) {
        return "ttl(" + codec + ')';
    }

    Expiry expiry() {
        return expiry;
    }

    boolean isRenewedByReads() {
        return setting.renewal() == Renewal.READ_OR_WRITE;
    }

    long nowNs() {
        return context.nowNs();
    }

    boolean isExpired(final DirectBuffer value) {
        return expiry.hasExpired(value, context.nowNs());
    }

    boolean isOver(final long stampNs) {
        return expiry.isOver(stampNs, context.nowNs());
    }

    void stamp(final MutableDirectBuffer value) {
        value.putLong(STAMP_OFFSET, context.nowNs(), LITTLE_ENDIAN);
    }

    long stampOf(final DirectBuffer value) {
        return value.getLong(STAMP_OFFSET, LITTLE_ENDIAN);
    }

    /** Renews the copy of a value that is being read, and says whether it has to be written. */
    boolean renew(final MutableDirectBuffer copy) {
        if (!isRenewedByReads() || stampOf(copy) == context.nowNs()) {
            return false;
        }
        stamp(copy);
        return true;
    }
}
