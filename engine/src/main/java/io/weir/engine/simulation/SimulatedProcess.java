package io.weir.engine.simulation;

import io.weir.engine.api.RestartStrategy;
import io.weir.engine.graph.Planner;
import io.weir.engine.recovery.JobRunner;
import io.weir.engine.recovery.JobSpec;
import io.weir.engine.worker.Worker;
import io.weir.storage.checkpoint.FileCheckpointStorage;
import io.weir.storage.file.FileStore;
import io.weir.storage.log.TransactionalLog;
import io.weir.storage.page.PagesStateBackend;
import io.weir.storage.state.HeapStateBackend;
import io.weir.transport.Transport;
import io.weir.transport.memory.MemoryContext;
import io.weir.transport.memory.MemoryLink;
import io.weir.transport.memory.MemoryTransport;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.agrona.CloseHelper;
import org.agrona.concurrent.EpochNanoClock;

/** One process that runs the job: everything that is gone when it dies. */
final class SimulatedProcess {
    private static final int LINK_CAPACITY = 4 * 1024;
    private static final int MAX_BATCH_LENGTH = 256;
    private static final int MAX_RESTARTS = 1_000_000;

    private final MemoryTransport memory;
    private final WatchedTransport transport;
    private final List<Worker> workers = new ArrayList<>();
    private final List<Runnable> io = new ArrayList<>();
    private final JobRunner job;

    SimulatedProcess(
            final Scenario scenario,
            final Home home,
            final List<Integer> parallelism,
            final List<SimulatedInput> inputs,
            final FileStore disk,
            final Fuse fuse,
            final Seams seams,
            final EpochNanoClock clock) {
        memory = MemoryTransport.launch(new MemoryContext()
                .dataCapacity(LINK_CAPACITY)
                .controlCapacity(LINK_CAPACITY)
                .maxBatchLength(MAX_BATCH_LENGTH));
        transport = new WatchedTransport(memory);
        final Transport seamed = seams.transport(transport);
        final FileStore files = seams.files(disk);
        final List<TransactionalLog> outputs = new ArrayList<>();
        for (int output = 0; output < Topology.OUTPUTS; output++) {
            outputs.add(seams.output(new SimulatedOutput("output " + output, files, outputFolder(output))));
        }
        final Topology.Parts parts = new Topology.Parts(
                scenario, parallelism, inputs.stream().map(seams::input).toList(), outputs, fuse);
        scenario.topology().build(parts);
        final JobSpec spec = new JobSpec(
                Planner.plan(parts.pipeline()),
                scenario.checkpoints(),
                scenario.barriers(),
                seams.checkpoints(new FileCheckpointStorage(files, home.checkpoints())),
                seams.backend(home.hasPages() ? new PagesStateBackend().withoutThreads() : new HeapStateBackend()),
                RestartStrategy.fixedDelay(MAX_RESTARTS, Duration.ofNanos(scenario.restartDelayNs())),
                home.restore());
        final int tasks = spec.plan().vertices().stream()
                .mapToInt(vertex -> vertex.parallelism())
                .sum();
        for (int i = 0; i < Math.min(tasks, scenario.workers()); i++) {
            workers.add(new Worker("worker-" + i, seamed, clock));
        }
        job = new JobRunner(spec, seamed, workers, io::add, Runnable::run, clock);
    }

    static Path outputFolder(final int output) {
        return Path.of("/output-" + output);
    }

    JobRunner job() {
        return job;
    }

    int workerCount() {
        return workers.size();
    }

    int work(final int worker) {
        return workers.get(worker).doWork();
    }

    int waitingIo() {
        return io.size();
    }

    /** Runs one piece of blocking work; which of them, the caller has drawn. */
    void runIo(final int index) {
        final Runnable work = io.get(index);
        io.set(index, io.get(io.size() - 1));
        io.remove(io.size() - 1);
        work.run();
    }

    List<MemoryLink> links() {
        return memory.links();
    }

    long blockedOffers() {
        return transport.blockedOffers();
    }

    /** Frees what the process has in memory. The disk must be dead or the job at its end: nothing may come of it any more. */
    void dispose() {
        final List<AutoCloseable> closing = new ArrayList<>();
        workers.forEach(worker -> closing.add(worker::onClose));
        closing.add(() -> {
            while (!io.isEmpty()) {
                runIo(0);
            }
        });
        closing.add(memory);
        for (final AutoCloseable one : closing) {
            CloseHelper.quietClose(one);
        }
    }
}
