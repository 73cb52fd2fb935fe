package io.weir.engine.simulation;

import io.weir.transport.CaptureHandler;
import io.weir.transport.InputGate;
import io.weir.transport.InputHandler;
import org.agrona.DirectBuffer;

/** Gates that make mistakes. */
final class InputMistakes {
    private InputMistakes() {}

    /** What follows a barrier is processed before the cut. */
    static final class BlocksNothing extends ForwardingGate {
        BlocksNothing(final InputGate gate) {
            super(gate);
        }

        @Override
        public void block(final int channelIndex) {
            // The mistake.
        }
    }

    /** The barriers of the last channel are passed over. */
    static final class IgnoresBarriers extends ForwardingGate {
        private final ForwardingHandler handler;

        IgnoresBarriers(final InputGate gate) {
            super(gate);
            final int deaf = gate.channelCount() - 1;
            handler = new ForwardingHandler() {
                @Override
                public boolean onBarrier(
                        final int channelIndex, final long checkpointId, final long triggerTimeNs, final int options) {
                    return channelIndex == deaf || super.onBarrier(channelIndex, checkpointId, triggerTimeNs, options);
                }
            };
        }

        @Override
        public int poll(final InputHandler next, final int limit) {
            return super.poll(handler.to(next), limit);
        }
    }

    /** The first barrier counts for all channels. */
    static final class CutsAtFirstBarrier extends ForwardingGate {
        private final FirstBarriers handler = new FirstBarriers();
        private final int count;
        private long lastId = Long.MIN_VALUE;

        CutsAtFirstBarrier(final InputGate gate) {
            super(gate);
            count = gate.channelCount();
        }

        @Override
        public int poll(final InputHandler next, final int limit) {
            return super.poll(handler.to(next), limit);
        }

        private final class FirstBarriers extends ForwardingHandler {
            @Override
            public boolean onBarrier(
                    final int channelIndex, final long checkpointId, final long triggerTimeNs, final int options) {
                if (checkpointId <= lastId) {
                    return true;
                }
                lastId = checkpointId;
                for (int channel = 0; channel < count; channel++) {
                    super.onBarrier(channel, checkpointId, triggerTimeNs, options);
                }
                return false;
            }
        }
    }

    /** One more record of the channel comes before its barrier. */
    static final class TakesOneRecordMore extends ForwardingGate {
        private final LateBarriers handler = new LateBarriers();
        private final Barrier[] late;

        TakesOneRecordMore(final InputGate gate) {
            super(gate);
            late = new Barrier[gate.channelCount()];
        }

        @Override
        public int poll(final InputHandler next, final int limit) {
            return super.poll(handler.to(next), limit);
        }

        private record Barrier(long checkpointId, long triggerTimeNs, int options) {}

        private final class LateBarriers extends ForwardingHandler {
            @Override
            public boolean onRecord(
                    final int channelIndex,
                    final long timestampNs,
                    final long sourceWatermarkNs,
                    final DirectBuffer buffer,
                    final int offset,
                    final int length) {
                final boolean goesOn =
                        super.onRecord(channelIndex, timestampNs, sourceWatermarkNs, buffer, offset, length);
                return !deliver(channelIndex) && goesOn;
            }

            @Override
            public boolean onBarrier(
                    final int channelIndex, final long checkpointId, final long triggerTimeNs, final int options) {
                deliver(channelIndex);
                late[channelIndex] = new Barrier(checkpointId, triggerTimeNs, options);
                return true;
            }

            @Override
            public boolean onCancellation(final int channelIndex, final long checkpointId) {
                deliver(channelIndex);
                return super.onCancellation(channelIndex, checkpointId);
            }

            @Override
            public boolean onEndOfData(final int channelIndex) {
                deliver(channelIndex);
                return super.onEndOfData(channelIndex);
            }

            private boolean deliver(final int channelIndex) {
                final Barrier barrier = late[channelIndex];
                late[channelIndex] = null;
                if (barrier != null) {
                    super.onBarrier(channelIndex, barrier.checkpointId, barrier.triggerTimeNs, barrier.options);
                }
                return barrier != null;
            }
        }
    }

    /** What the capture hands out passes through here. */
    abstract static class Captures extends ForwardingGate {
        Captures(final InputGate gate) {
            super(gate);
        }

        abstract void captured(CaptureHandler handler, int channelIndex, DirectBuffer buffer, int offset, int length);

        @Override
        public final long capture(final int channelIndex, final long endPosition, final CaptureHandler handler) {
            return super.capture(channelIndex, endPosition, new CaptureHandler() {
                @Override
                public void onCapturedRecords(
                        final int channel, final DirectBuffer buffer, final int offset, final int length) {
                    captured(handler, channel, buffer, offset, length);
                }

                @Override
                public boolean onBarrierAhead(final int channel, final long checkpointId) {
                    return handler.onBarrierAhead(channel, checkpointId);
                }

                @Override
                public boolean onCancellationAhead(final int channel, final long checkpointId) {
                    return handler.onCancellationAhead(channel, checkpointId);
                }

                @Override
                public void onEndOfDataAhead(final int channel) {
                    handler.onEndOfDataAhead(channel);
                }
            });
        }
    }

    /** Every third batch is not captured. */
    static final class CapturesTooLittle extends Captures {
        private static final int EACH = 3;
        private int count;

        CapturesTooLittle(final InputGate gate) {
            super(gate);
        }

        @Override
        void captured(
                final CaptureHandler handler,
                final int channelIndex,
                final DirectBuffer buffer,
                final int offset,
                final int length) {
            if (++count % EACH != 0) {
                handler.onCapturedRecords(channelIndex, buffer, offset, length);
            }
        }
    }

    /** Every third batch is captured twice. */
    static final class CapturesTwice extends Captures {
        private static final int EACH = 3;
        private int count;

        CapturesTwice(final InputGate gate) {
            super(gate);
        }

        @Override
        void captured(
                final CaptureHandler handler,
                final int channelIndex,
                final DirectBuffer buffer,
                final int offset,
                final int length) {
            handler.onCapturedRecords(channelIndex, buffer, offset, length);
            if (++count % EACH == 0) {
                handler.onCapturedRecords(channelIndex, buffer, offset, length);
            }
        }
    }
}
