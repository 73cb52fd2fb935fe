package io.weir.engine.operator;

/**
 * An operator that takes records of two types, each from edges of its own. It stands at the head of its chain; watermarks, idleness
 * and barriers of both inputs are merged before they reach it. Task thread only.
 *
 * @param <T> type of the records of the first input.
 * @param <B> type of the records of the second input.
 */
public interface TwoInputOperator<T, B> extends Operator<T> {
    /**
     * One record of the second input. As {@link #receive} for the first.
     *
     * @param value of the record; may be a flyweight, valid during the call only.
     * @param timestampNs event time, {@link Long#MIN_VALUE} where none was assigned.
     * @param sourceWatermarkNs as of {@link #receive}.
     * @throws Exception if user code fails: the task fails.
     */
    void receiveSecond(B value, long timestampNs, long sourceWatermarkNs) throws Exception;
}
