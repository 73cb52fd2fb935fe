package io.weir.storage.page;

import io.weir.storage.state.StateDescriptor.Expiry;
import java.util.Map;
import org.agrona.DirectBuffer;

/**
 * Which entries have expired at a cut.
 *
 * @param nowNs the time of the cut.
 * @param expiries of the states whose values expire, by name.
 */
record CutTime(long nowNs, Map<String, Expiry> expiries) {
    /** A cut at which nothing has expired. */
    static final CutTime NONE = new CutTime(Long.MIN_VALUE, Map.of());

    boolean hasExpired(final String state, final DirectBuffer value) {
        final Expiry expiry = expiries.get(state);
        return expiry != null && expiry.hasExpired(value, nowNs);
    }
}
