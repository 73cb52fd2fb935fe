package io.weir.engine.api.logical;

import io.weir.engine.api.AggregateFunction;
import io.weir.engine.api.BroadcastProcessFunction;
import io.weir.engine.api.BroadcastStateDescriptor;
import io.weir.engine.api.Codec;
import io.weir.engine.api.Delivery;
import io.weir.engine.api.FilterFunction;
import io.weir.engine.api.FlatMapFunction;
import io.weir.engine.api.KeyedBroadcastProcessFunction;
import io.weir.engine.api.KeyedProcessFunction;
import io.weir.engine.api.MapFunction;
import io.weir.engine.api.OnBadRecord;
import io.weir.engine.api.OutputTag;
import io.weir.engine.api.ProcessFunction;
import io.weir.engine.api.ToLongFunction;
import io.weir.engine.api.Tumbling;
import io.weir.engine.api.WindowFunction;
import io.weir.storage.log.ReplayableLog;
import io.weir.storage.log.TransactionalLog;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** What a step does. */
public sealed interface Transform {
    /**
     * What a step of this kind is called if the user gives no name.
     *
     * @return a short lower-case word.
     */
    String defaultName();

    /**
     * Reads a log.
     *
     * @param log to read.
     * @param codec of its records.
     * @param onBadRecord what to do with bytes that the codec refuses.
     */
    record Read(ReplayableLog log, Codec<?> codec, OnBadRecord onBadRecord) implements Transform {
        @Override
        public String defaultName() {
            return "read";
        }
    }

    /**
     * Maps one to one.
     *
     * @param function of the user.
     */
    record Map(MapFunction<?, ?> function) implements Transform {
        @Override
        public String defaultName() {
            return "map";
        }
    }

    /**
     * Keeps some.
     *
     * @param function of the user.
     */
    record Filter(FilterFunction<?> function) implements Transform {
        @Override
        public String defaultName() {
            return "filter";
        }
    }

    /**
     * Maps one to any number.
     *
     * @param function of the user.
     */
    record FlatMap(FlatMapFunction<?, ?> function) implements Transform {
        @Override
        public String defaultName() {
            return "flatmap";
        }
    }

    /**
     * Processes without a key.
     *
     * @param function of the user.
     */
    record ProcessEach(ProcessFunction<?, ?> function) implements Transform {
        @Override
        public String defaultName() {
            return "process";
        }
    }

    /**
     * Assigns event time and makes watermarks, by source partition.
     *
     * @param function gives a record's time.
     * @param unit of that time.
     * @param boundNs how far a record may come behind a later one of its partition.
     * @param idlenessNs how long a partition may be silent before it no longer holds back the watermark, 0 for ever.
     */
    record EventTime(ToLongFunction<?> function, TimeUnit unit, long boundNs, long idlenessNs) implements Transform {
        @Override
        public String defaultName() {
            return "eventtime";
        }
    }

    /**
     * Keeps the first record of each key.
     *
     * @param keying of the inputs.
     */
    record Distinct(Keying keying) implements Transform {
        @Override
        public String defaultName() {
            return "distinct";
        }
    }

    /**
     * Processes with state and timers by key.
     *
     * @param keying of the inputs.
     * @param function of the user.
     */
    record KeyedProcess(Keying keying, KeyedProcessFunction<?, ?, ?> function) implements Transform {
        @Override
        public String defaultName() {
            return "process";
        }
    }

    /**
     * Processes beside a broadcast stream, without a key.
     *
     * @param states broadcast states of the operator.
     * @param function of the user.
     */
    record BroadcastProcess(List<BroadcastStateDescriptor<?, ?>> states, BroadcastProcessFunction<?, ?, ?> function)
            implements Transform {
        @Override
        public String defaultName() {
            return "process";
        }
    }

    /**
     * Processes beside a broadcast stream, with state and timers by key.
     *
     * @param keying of the inputs that are not broadcast.
     * @param states broadcast states of the operator.
     * @param function of the user.
     */
    record KeyedBroadcastProcess(
            Keying keying,
            List<BroadcastStateDescriptor<?, ?>> states,
            KeyedBroadcastProcessFunction<?, ?, ?, ?> function)
            implements Transform {
        @Override
        public String defaultName() {
            return "process";
        }
    }

    /**
     * Aggregates windows by key.
     *
     * @param keying of the inputs.
     * @param windows which ones.
     * @param lateTag where late records go, null to drop them.
     * @param function of the user.
     * @param accumulatorCodec null to infer it.
     * @param windowFunction joins the key to the result, null to leave the result alone.
     */
    record WindowAggregate(
            Keying keying,
            Tumbling windows,
            OutputTag<?> lateTag,
            AggregateFunction<?, ?, ?> function,
            Codec<?> accumulatorCodec,
            WindowFunction<?, ?, ?> windowFunction)
            implements Transform {
        @Override
        public String defaultName() {
            return "window";
        }
    }

    /**
     * Writes to a log.
     *
     * @param log to write.
     * @param codec of the records.
     * @param delivery what is promised.
     */
    record Write(TransactionalLog log, Codec<?> codec, Delivery delivery) implements Transform {
        @Override
        public String defaultName() {
            return "write";
        }
    }
}
