package io.weir.engine.simulation;

import io.weir.transport.OutputChannel;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/** Channels that make mistakes. */
final class OutputMistakes {
    private OutputMistakes() {}

    /** A batch that finds no room is forgotten, each fourth time. */
    static final class ForgetsWhatIsBlocked extends ForwardingOutput {
        private static final int EACH = 4;
        private int count;

        ForgetsWhatIsBlocked(final OutputChannel channel) {
            super(channel);
        }

        @Override
        public long offerBatch(final DirectBuffer buffer, final int offset, final int length) {
            final long result = super.offerBatch(buffer, offset, length);
            return result == BACK_PRESSURED && ++count % EACH == 0 ? Math.max(1, position()) : result;
        }
    }

    /** A batch that found no room is sent twice when there is some. */
    static final class RepeatsWhatWasBlocked extends ForwardingOutput {
        private boolean wasBlocked;

        RepeatsWhatWasBlocked(final OutputChannel channel) {
            super(channel);
        }

        @Override
        public long offerBatch(final DirectBuffer buffer, final int offset, final int length) {
            final long result = super.offerBatch(buffer, offset, length);
            if (result > 0 && wasBlocked) {
                super.offerBatch(buffer, offset, length);
            }
            wasBlocked = result == BACK_PRESSURED;
            return result;
        }
    }

    /** A barrier goes ahead of the batch before it, though nothing has told the receiver so. */
    static final class SendsBarriersTooEarly extends ForwardingOutput {
        private byte[] held;

        SendsBarriersTooEarly(final OutputChannel channel) {
            super(channel);
        }

        @Override
        public long offerBatch(final DirectBuffer buffer, final int offset, final int length) {
            if (!isSent()) {
                return BACK_PRESSURED;
            }
            held = new byte[length];
            buffer.getBytes(offset, held);
            return Math.max(1, position());
        }

        @Override
        public long offerFragment(final int flags, final DirectBuffer buffer, final int offset, final int length) {
            return isSent() ? super.offerFragment(flags, buffer, offset, length) : BACK_PRESSURED;
        }

        @Override
        public long offerWatermark(final long watermarkNs) {
            return isSent() ? super.offerWatermark(watermarkNs) : BACK_PRESSURED;
        }

        @Override
        public long offerEndOfData() {
            return isSent() ? super.offerEndOfData() : BACK_PRESSURED;
        }

        private boolean isSent() {
            if (held != null && super.offerBatch(new UnsafeBuffer(held), 0, held.length) < 0) {
                return false;
            }
            held = null;
            return true;
        }
    }
}
