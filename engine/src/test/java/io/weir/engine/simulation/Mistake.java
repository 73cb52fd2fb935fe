package io.weir.engine.simulation;

import io.weir.engine.harness.ForwardingStore;
import io.weir.engine.harness.ForwardingWriter;
import io.weir.storage.checkpoint.CheckpointStorage;
import io.weir.storage.checkpoint.CheckpointStore;
import io.weir.storage.file.FileStore;
import io.weir.storage.log.LogReader;
import io.weir.storage.log.ReplayableLog;
import io.weir.storage.log.TransactionalLog;
import io.weir.storage.log.TransactionalWriter;
import io.weir.storage.state.HeapStateBackend;
import io.weir.storage.state.StateBackend;
import io.weir.transport.InputGate;
import io.weir.transport.OutputChannel;
import io.weir.transport.Transport;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * What an engine could do wrong: the simulation must find each of them.
 *
 * @param name of the mistake.
 * @param knownSeed that found it once.
 * @param concerned a run that could tell: in others the mistake is not made, or does no harm.
 * @param maker of the seams for one run.
 */
record Mistake(String name, int knownSeed, Predicate<Scenario> concerned, Supplier<Seams> maker) {
    /** The list. */
    static final List<Mistake> ALL = List.of(
            new Mistake(
                    "barrier blocks nothing",
                    21,
                    Scenario::isExactlyOnce,
                    () -> gates(InputMistakes.BlocksNothing::new)),
            new Mistake(
                    "cut at the first barrier", 7, Mistake::any, () -> gates(InputMistakes.CutsAtFirstBarrier::new)),
            new Mistake(
                    "snapshot after one more record",
                    4,
                    Mistake::any,
                    () -> gates(InputMistakes.TakesOneRecordMore::new)),
            new Mistake(
                    "capture too little", 172, Mistake::isUnaligned, () -> gates(InputMistakes.CapturesTooLittle::new)),
            new Mistake("capture twice", 53, Mistake::isUnaligned, () -> gates(InputMistakes.CapturesTwice::new)),
            new Mistake(
                    "barrier ahead of data", 4, Mistake::any, () -> outputs(OutputMistakes.SendsBarriersTooEarly::new)),
            new Mistake(
                    "blocked batch forgotten",
                    0,
                    Mistake::any,
                    () -> outputs(OutputMistakes.ForgetsWhatIsBlocked::new)),
            new Mistake(
                    "blocked batch repeated",
                    0,
                    Mistake::any,
                    () -> outputs(OutputMistakes.RepeatsWhatWasBlocked::new)),
            new Mistake("barrier ignored", 10, Mistake::any, () -> gates(InputMistakes.IgnoresBarriers::new)),
            new Mistake("switched twice in the outbox", 28, Mistake::isUnaligned, () -> restores("channel/output/", 2)),
            new Mistake("outbox forgotten", 28, Mistake::isUnaligned, () -> forgets("channel/output/")),
            new Mistake("input in flight forgotten", 13, Mistake::isUnaligned, () -> forgets("channel/input/")),
            new Mistake("lists forgotten", 5, Mistake::any, () -> forgets("operator/")),
            new Mistake(
                    "numbering forgotten",
                    21,
                    scenario -> scenario.topology() == Topology.TWO_SINKS,
                    () -> forgets("operator/number/")),
            new Mistake("broadcast state forgotten", 15, Mistake::any, () -> forgets("broadcast/")),
            new Mistake("timers forgotten", 4, Mistake::any, () -> forgetsOnHeap("timer/")),
            new Mistake("source positions forgotten", 4, Mistake::any, () -> forgetsOnHeap("value/in0/")),
            new Mistake("keyed state forgotten", 4, Mistake::any, () -> forgetsOnHeap("value/count/")),
            new Mistake(
                    "checkpoint complete before stored",
                    0,
                    Mistake::any,
                    () -> stores(StoreMistakes.PublishesLate::new)),
            new Mistake("older checkpoint restored", 4, Mistake::any, () -> stores(StoreMistakes.RestoresOlder::new)),
            new Mistake("commit before complete", 3, Mistake::any, () -> writers(SinkMistakes.CommitsEarly::new)),
            new Mistake("acknowledged before forced", 5, Mistake::any, () -> writers(SinkMistakes.ForcesLate::new)),
            new Mistake("prepared not committed", 5, Mistake::any, () -> writers(SinkMistakes.ForgetsPrepared::new)),
            new Mistake("aborted committed", 3, Mistake::any, Mistake::commitsAborted),
            new Mistake("source one too far", 4, Mistake::any, () -> positions(position -> position + 1)),
            new Mistake("source one back", 4, Mistake::any, () -> positions(position -> position - 1)),
            new Mistake("names not forced", 2, Mistake::any, () -> new Seams() {
                @Override
                public FileStore files(final FileStore files) {
                    return new UnforcedNames(files);
                }
            }));

    boolean concerns(final Scenario scenario) {
        return concerned.test(scenario);
    }

    private static boolean any(final Scenario scenario) {
        return true;
    }

    private static boolean isUnaligned(final Scenario scenario) {
        return scenario.barriers().unaligned();
    }

    @Override
    public String toString() {
        return name;
    }

    /** For one run. */
    Seams seams() {
        return maker.get();
    }

    private static Seams gates(final UnaryOperator<InputGate> gates) {
        return channels(gates, UnaryOperator.identity());
    }

    private static Seams outputs(final UnaryOperator<OutputChannel> outputs) {
        return channels(UnaryOperator.identity(), outputs);
    }

    private static Seams channels(final UnaryOperator<InputGate> gates, final UnaryOperator<OutputChannel> outputs) {
        return new Seams() {
            @Override
            public Transport transport(final Transport transport) {
                return new ForwardingTransport(transport, gates, outputs);
            }
        };
    }

    private static Seams stores(final UnaryOperator<CheckpointStore> stores) {
        return new Seams() {
            @Override
            public CheckpointStorage checkpoints(final CheckpointStorage storage) {
                return ForwardingStore.storage(storage, stores);
            }
        };
    }

    private static Seams restores(final String prefix, final int times) {
        return stores(store -> new StoreMistakes.Repeats(store, section -> section.startsWith(prefix), times));
    }

    private static Seams forgets(final String prefix) {
        return restores(prefix, 0);
    }

    /** State by key is in the tasks' own segments with one backend only. */
    private static Seams forgetsOnHeap(final String prefix) {
        final Seams forgets = forgets(prefix);
        return new Seams() {
            @Override
            public CheckpointStorage checkpoints(final CheckpointStorage storage) {
                return forgets.checkpoints(storage);
            }

            @Override
            public StateBackend backend(final StateBackend backend) {
                return new HeapStateBackend();
            }
        };
    }

    private static Seams writers(final UnaryOperator<TransactionalWriter> writers) {
        return new Seams() {
            @Override
            public TransactionalLog output(final TransactionalLog output) {
                return ForwardingWriter.log(output, writers);
            }
        };
    }

    private static Seams commitsAborted() {
        final List<byte[]> forced = new ArrayList<>();
        return writers(writer -> new SinkMistakes.CommitsAborted(writer, forced));
    }

    private static Seams positions(final UnaryOperator<Long> positions) {
        return new Seams() {
            @Override
            public ReplayableLog input(final ReplayableLog input) {
                return new ReplayableLog() {
                    @Override
                    public String name() {
                        return input.name();
                    }

                    @Override
                    public List<String> partitions() {
                        return input.partitions();
                    }

                    @Override
                    public LogReader open(final int partition, final long position) {
                        return input.open(partition, position == START ? START : positions.apply(position));
                    }
                };
            }
        };
    }
}
