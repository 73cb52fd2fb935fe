package io.weir.engine.simulation;

import io.weir.engine.api.Codec;
import io.weir.engine.api.Restore;
import io.weir.engine.api.SavepointFormat;
import io.weir.engine.api.StopMode;
import io.weir.engine.simulation.SimulationResult.Event;
import io.weir.engine.status.JobState;
import io.weir.engine.status.JobStatus;
import io.weir.engine.status.JobStatus.Restart;
import io.weir.storage.file.SimulatedCrash;
import io.weir.storage.file.SimulatedFileStore;
import io.weir.transport.memory.MemoryLink;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * One run of a job under a seed. First chaos: the seed says what happens next and what goes wrong. Then calm: nothing goes wrong any
 * more, and the job must come to its end in a bounded number of steps, with the output that the model expects. One thread.
 */
public final class Simulation {
    /** The first moment of every run. */
    private static final long BEGIN_NS = 1_700_000_000_000_000_000L;

    private static final int CALM_CYCLES = 10_000;
    private static final long CALM_CYCLE_NS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final int CALM_CYCLES_PER_INTERVAL = 16;
    private static final int MAX_SHOWN = 12;
    private static final int MAX_FUSE = 40;
    private static final int MAX_DISK_OPERATIONS = 60;
    private static final int MAX_FREE_BYTES = 8 * 1024;
    private static final int MAX_ROOM = 1_024;
    private static final int MAX_ALLOWED_FRAMES = 4;
    private static final int RUN_AGAIN = 4;

    private final long seed;
    private final Seams seams;
    private final Consumer<String> trace;
    private final SplittableRandom random;
    private final Scenario scenario;
    private final SimulatedFileStore disk;
    private final List<SimulatedInput> inputs = new ArrayList<>();
    private final Fuse fuse = new Fuse();
    private final List<String> faults = new ArrayList<>();
    private final List<TakenSavepoint> savepoints = new ArrayList<>();
    private final Map<Event, Long> counts = new EnumMap<>(Event.class);
    private List<Integer> parallelism;
    private Home home;
    private SimulatedProcess process;
    private long nowNs = BEGIN_NS;
    private long steps;
    private long digest;
    private boolean isCalm;

    /** Whether the process has met no fault that could excuse a failure. */
    private boolean isProcessOfCalm;

    private boolean isFinished;

    private Simulation(final long seed, final Seams seams, final Consumer<String> trace) {
        this.seed = seed;
        this.seams = seams;
        this.trace = trace;
        random = new SplittableRandom(seed);
        scenario = Scenario.draw(random);
        parallelism = scenario.parallelism();
        home = Home.first(scenario.hasPages());
        disk = new SimulatedFileStore(random.nextLong());
        for (final List<Integer> lengths : scenario.lengths()) {
            inputs.add(new SimulatedInput(inputs.size(), lengths));
        }
    }

    /**
     * Runs one seed.
     *
     * @param seed of the run.
     * @return what came of it.
     */
    public static SimulationResult run(final long seed) {
        return run(seed, null);
    }

    /**
     * Runs one seed and tells every step.
     *
     * @param seed of the run.
     * @param trace takes a line for each step, or null.
     * @return what came of it.
     */
    public static SimulationResult run(final long seed, final Consumer<String> trace) {
        return run(seed, Seams.NONE, trace);
    }

    /** What a seed makes of a run, without the run. */
    static Scenario scenario(final long seed) {
        return Scenario.draw(new SplittableRandom(seed));
    }

    static SimulationResult run(final long seed, final Seams seams, final Consumer<String> trace) {
        return new Simulation(seed, seams, trace).run();
    }

    private SimulationResult run() {
        final Thread thread = Thread.currentThread();
        final Thread.UncaughtExceptionHandler handler = thread.getUncaughtExceptionHandler();
        final List<Throwable> uncaught = new ArrayList<>();
        // Blocking work hands what nobody catches to the handler of its thread.
        thread.setUncaughtExceptionHandler((ofThread, error) -> uncaught.add(error));
        String failure = null;
        Throwable cause = null;
        try {
            start();
            chaos();
            calm();
            checkUncaught(uncaught);
            failure = Model.difference(scenario, inputs, written());
        } catch (final SimulationException e) {
            failure = e.getMessage();
            cause = e.getCause();
        } catch (final RuntimeException | Error e) {
            failure = "unexpected " + e;
            cause = e;
        }
        disk.die();
        try {
            close();
        } catch (final SimulationException e) {
            failure = failure == null ? e.getMessage() : failure;
        }
        thread.setUncaughtExceptionHandler(handler);
        count(Event.STEPS, steps);
        count(Event.TASK_FAILURES, fuse.blown());
        count(Event.LOST_WRITES, disk.losses());
        count(Event.DISK_FAILURES, disk.failures());
        return new SimulationResult(seed, scenario.toString(), faults, failure, cause, digest, counts);
    }

    private void chaos() {
        for (int i = 0; i < scenario.chaosSteps() && !isFinished; i++) {
            final Step step = scenario.weights().next(random);
            final long result = take(step);
            record(step, result);
            lookAfterProcess();
        }
    }

    private void record(final Step step, final long result) {
        steps++;
        digest = Facts.mix(digest ^ Facts.mix(step.name().hashCode() + 31 * (result + 31 * disk.operations())));
        if (trace != null) {
            trace.accept(steps + " " + (nowNs - BEGIN_NS) / 1_000 + "us " + step + " " + result);
        }
    }

    private long take(final Step step) {
        return switch (step) {
            case WORK -> work(random.nextInt(process.workerCount()));
            case JOB -> process.job().step() ? 1 : 0;
            case IO -> runIo();
            case SHOW -> show();
            case TIME -> pass();
            case DELAY -> delay();
            case ROOM -> room();
            case TRIGGER -> trigger();
            case SAVEPOINT -> savepoint();
            case STOP -> stop();
            case FAIL_TASK -> armFuse();
            case KILL -> die(false);
            case CRASH -> die(true);
            case DIE_ON_DISK -> dieOnDisk();
            case FAIL_DISK -> failDisk();
            case FILL_DISK -> fillDisk();
        };
    }

    private long work(final int worker) {
        return process.work(worker) + 1_000L * worker;
    }

    private long runIo() {
        if (process.waitingIo() == 0) {
            return 0;
        }
        final int index = random.nextInt(process.waitingIo());
        process.runIo(index);
        return index + 1L;
    }

    private long show() {
        final SimulatedInput input = inputs.get(random.nextInt(inputs.size()));
        final int partition = random.nextInt(input.partitionCount());
        final int shown = 1 + random.nextInt(MAX_SHOWN);
        input.show(partition, shown);
        return shown;
    }

    /** From microseconds to tens of milliseconds, all magnitudes alike. */
    private long pass() {
        final long passed = random.nextLong(TimeUnit.MICROSECONDS.toNanos(1) << (1 + random.nextInt(14)));
        nowNs += passed;
        return passed;
    }

    private long delay() {
        final List<MemoryLink> links = process.links();
        if (links.isEmpty()) {
            return 0;
        }
        final MemoryLink link = links.get(random.nextInt(links.size()));
        final int choice = random.nextInt(4);
        if (choice == 0) {
            link.hold();
            count(Event.DELAYS, 1);
        } else if (choice == 1) {
            link.allow(1 + random.nextInt(MAX_ALLOWED_FRAMES));
        } else {
            link.release();
        }
        return choice;
    }

    private long room() {
        final List<MemoryLink> links = process.links();
        if (links.isEmpty()) {
            return 0;
        }
        final MemoryLink link = links.get(random.nextInt(links.size()));
        final int room = random.nextInt(3) == 0 ? Integer.MAX_VALUE : random.nextInt(MAX_ROOM);
        link.room(room);
        return room;
    }

    private long trigger() {
        final CompletableFuture<Long> answer = process.job().trigger();
        return answer.isDone() ? 1 : 0;
    }

    private long savepoint() {
        final SavepointFormat format = drawFormat();
        savepoints.add(new TakenSavepoint(process.job().savepoint(null, format), format, false));
        return format == SavepointFormat.NATIVE ? 1 : 0;
    }

    private SavepointFormat drawFormat() {
        return random.nextBoolean() ? SavepointFormat.CANONICAL : SavepointFormat.NATIVE;
    }

    private long stop() {
        if (random.nextInt(3) == 0) {
            fault("the user asks for a stop");
            process.job().stop(StopMode.SUSPEND);
            return 0;
        }
        final SavepointFormat format = drawFormat();
        fault("the user asks for a stop behind a savepoint, " + format);
        savepoints.add(
                new TakenSavepoint(process.job().stopWithSavepoint(null, format, StopMode.SUSPEND), format, true));
        return format == SavepointFormat.NATIVE ? 2 : 1;
    }

    private long armFuse() {
        final int records = random.nextInt(MAX_FUSE);
        fault("a function fails " + records + " records later");
        fuse.arm(records);
        return records;
    }

    private long die(final boolean isMachine) {
        fault(isMachine ? "the machine dies" : "the process is killed");
        disk.die();
        buryProcess(isMachine);
        return 0;
    }

    private void buryProcess(final boolean isMachine) {
        close();
        if (isMachine) {
            disk.crash();
        } else {
            disk.kill();
        }
        count(isMachine ? Event.CRASHES : Event.KILLS, 1);
        start();
    }

    private long dieOnDisk() {
        final int operations = 1 + random.nextInt(MAX_DISK_OPERATIONS);
        if (random.nextBoolean()) {
            fault("the machine dies before operation " + operations + " on the disk");
            disk.crashBefore(operations);
        } else {
            fault("the machine dies after operation " + operations + " on the disk");
            disk.crashAfter(operations);
        }
        return operations;
    }

    private long failDisk() {
        final int operations = 1 + random.nextInt(MAX_DISK_OPERATIONS);
        fault("operation " + operations + " on the disk fails");
        disk.failAt(operations);
        return operations;
    }

    private long fillDisk() {
        if (random.nextBoolean()) {
            final long free = random.nextInt(MAX_FREE_BYTES);
            fault("the disk has room for " + free + " bytes");
            disk.capacity(disk.usedBytes() + free);
            return free;
        }
        disk.capacity(Long.MAX_VALUE);
        return Long.MAX_VALUE;
    }

    private void fault(final String what) {
        faults.add("step " + (steps + 1) + ": " + what);
    }

    /** A process that died at a write is buried; one whose job has ended makes room for the next, unless all is done. */
    private void lookAfterProcess() {
        if (disk.isDead()) {
            final boolean isMachine = random.nextBoolean();
            fault(isMachine ? "the machine has died on the disk" : "the process has died on the disk");
            buryProcess(isMachine);
            return;
        }
        if (!process.job().isEnded()) {
            return;
        }
        final JobState state = process.job().status().state();
        if (state == JobState.FINISHED) {
            isFinished = true;
            return;
        }
        if (state == JobState.FAILED) {
            checkFailure(process.job().failure());
        } else {
            count(Event.STOPS, 1);
        }
        close();
        start();
    }

    private void start() {
        if (scenario.hasRescaling() && random.nextBoolean()) {
            parallelism = scenario.drawParallelism(random);
            fault("the job goes on with parallelism " + parallelism);
            count(Event.RESCALES, 1);
        }
        isProcessOfCalm = isCalm;
        process = new SimulatedProcess(scenario, home, parallelism, inputs, disk, fuse, seams, () -> nowNs);
    }

    /** A job that has stopped behind a savepoint may go on from it in another place, with another state backend. */
    private void move(final TakenSavepoint savepoint) {
        if (random.nextInt(4) == 0) {
            return;
        }
        count(Event.MOVES, 1);
        final Restore restore = Restore.from(savepoint.path());
        home = new Home(
                Path.of("/checkpoints-" + counts.get(Event.MOVES)),
                random.nextBoolean() ? restore.claim() : restore,
                savepoint.format == SavepointFormat.CANONICAL ? random.nextBoolean() : home.hasPages());
        fault("the job goes on from " + savepoint.path() + " in " + home);
    }

    /** What the process has counted goes to the sum, and what it holds is freed. */
    private void close() {
        if (process == null) {
            return;
        }
        final JobStatus status = process.job().status();
        final SimulatedProcess closing = process;
        process = null;
        count(Event.CHECKPOINTS, status.checkpoints().completed());
        count(Event.ABORTS, status.checkpoints().aborted());
        count(Event.BLOCKED_OFFERS, closing.blockedOffers());
        count(Event.RESTORES, status.restoredCheckpointId() > 0 ? 1 : 0);
        for (final Restart restart : status.restarts()) {
            count(Event.RESTORES, restart.restoredCheckpointId() > 0 ? 1 : 0);
        }
        closing.dispose();
        savepoints.removeIf(savepoint -> savepoint.path() == null);
        count(Event.SAVEPOINTS, savepoints.size());
        if (status.state() == JobState.STOPPED) {
            savepoints.stream().filter(TakenSavepoint::isLast).findFirst().ifPresent(this::move);
        }
        savepoints.clear();
        for (final Restart restart : status.restarts()) {
            checkCause(restart.cause());
        }
    }

    private void checkFailure(final Throwable failure) {
        if (isProcessOfCalm || !isExpected(failure)) {
            throw new SimulationException("the job failed: " + failure, failure);
        }
    }

    private static boolean isExpected(final Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof SimulatedCrash || isExpected(String.valueOf(cause.getMessage()))) {
                return true;
            }
        }
        return false;
    }

    private void checkCause(final String cause) {
        if (!isExpected(cause)) {
            throw new SimulationException("the job restarted: " + cause, null);
        }
    }

    private static boolean isExpected(final String reason) {
        return reason.contains("simulated") || reason.contains("no more failures are tolerated");
    }

    private static void checkUncaught(final List<Throwable> uncaught) {
        for (final Throwable error : uncaught) {
            if (!isExpected(error)) {
                throw new SimulationException("blocking work threw " + error, error);
            }
        }
    }

    /** No more faults: all that waits goes on, until the job has finished. */
    private void calm() {
        isCalm = true;
        disk.calm();
        disk.capacity(Long.MAX_VALUE);
        fuse.disarm();
        inputs.forEach(SimulatedInput::showAll);
        for (final MemoryLink link : process.links()) {
            link.release();
            link.room(Integer.MAX_VALUE);
        }
        finish();
        if (random.nextInt(RUN_AGAIN) == 0) {
            isFinished = false;
            fault("the job is started again after its end");
            close();
            disk.crash();
            start();
            finish();
        }
    }

    private void finish() {
        for (int cycle = 0; cycle < CALM_CYCLES && !isFinished; cycle++) {
            long work = process.waitingIo();
            for (int worker = 0; worker < process.workerCount(); worker++) {
                work += process.work(worker);
            }
            while (process.waitingIo() > 0) {
                process.runIo(0);
            }
            process.job().step();
            // While a checkpoint goes on, the next one is not due: else each would subsume the one before, for ever.
            nowNs += work == 0
                    ? CALM_CYCLE_NS
                    : Math.min(CALM_CYCLE_NS, scenario.checkpoints().intervalNs() / CALM_CYCLES_PER_INTERVAL);
            lookAfterProcess();
        }
        if (!isFinished) {
            throw new SimulationException(
                    "the job did not come to its end: " + process.job().status(), null);
        }
    }

    private List<Row> written() {
        final Codec<Row> codec = Topology.Parts.ROWS.forTask();
        final List<Row> rows = new ArrayList<>();
        for (int output = 0; output < Topology.OUTPUTS; output++) {
            for (final byte[] record : SimulatedOutput.committed(disk, SimulatedProcess.outputFolder(output))) {
                rows.add(codec.decode(new UnsafeBuffer(record), 0, record.length));
            }
        }
        return rows;
    }

    private void count(final Event event, final long count) {
        counts.merge(event, count, Long::sum);
    }

    @Override
    public String toString() {
        return "Simulation{seed=" + seed + ", " + scenario + (isCalm ? ", calm" : ", chaos") + '}';
    }

    /** A savepoint that was asked for; whether it came is known once the process has gone. */
    private record TakenSavepoint(CompletableFuture<Path> future, SavepointFormat format, boolean isLast) {
        Path path() {
            return future.isDone() && !future.isCompletedExceptionally() ? future.join() : null;
        }
    }

    /** The job did what it must not do. */
    private static final class SimulationException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        SimulationException(final String message, final Throwable cause) {
            super(message, cause);
        }
    }
}
