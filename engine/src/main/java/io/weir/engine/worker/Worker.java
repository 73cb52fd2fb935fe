package io.weir.engine.worker;

import io.weir.engine.task.Task;
import io.weir.engine.task.TaskListener;
import io.weir.transport.Transport;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.EpochNanoClock;
import org.agrona.concurrent.ManyToOneConcurrentLinkedQueue;

/**
 * Runs many tasks round robin on one thread. The clock is read once per duty cycle. When all tasks stall, or one of them is
 * blocked, the media driver gets a turn, since only its conductor moves the limits of publishers. Whatever a task throws is told to
 * its job and to nobody else; the other tasks go on.
 *
 * <p>The worker's thread, but for {@link #add} and {@link #remove}, which any thread may call, and for {@link #interrupt} and
 * {@link #giveUp}, which are the watching thread's.
 */
public final class Worker implements Agent {
    /** Result of {@link #doWork} for a thread that another one has taken the place of. */
    static final int GIVEN_UP = -1;

    private static final Logger LOGGER = System.getLogger(Worker.class.getName());

    private final String name;
    private final Transport transport;
    private final EpochNanoClock clock;
    private final ManyToOneConcurrentLinkedQueue<Command> commands = new ManyToOneConcurrentLinkedQueue<>();
    private final List<Slot> slots = new ArrayList<>();
    private final Reserve reserve;
    private final Turn turn = new Turn();
    /** Whose turn it is; published with the turn. */
    private Slot current;

    /**
     * A worker.
     *
     * @param name of its thread.
     * @param transport to pump.
     * @param clock of the engine.
     */
    public Worker(final String name, final Transport transport, final EpochNanoClock clock) {
        this(name, transport, clock, new Reserve(0));
    }

    Worker(final String name, final Transport transport, final EpochNanoClock clock, final Reserve reserve) {
        this.reserve = reserve;
        this.name = name;
        this.transport = transport;
        this.clock = clock;
    }

    /**
     * Hands over an open task.
     *
     * @param task to run from now on.
     * @param attempt of the task.
     * @param listener that hears if it fails and when it is closed.
     */
    public void add(final Task task, final int attempt, final TaskListener listener) {
        commands.add(new Command(new Slot(task, attempt, listener), true));
    }

    /**
     * Has a task closed; its listener hears when that is done.
     *
     * @param task that was added.
     */
    public void remove(final Task task) {
        commands.add(new Command(new Slot(task, 0, null), false));
    }

    /**
     * One duty cycle.
     *
     * @return the amount of work done, negative if the calling thread's place was taken while it did not come back from a task.
     */
    @Override
    public int doWork() {
        int work = readCommands();
        if (work == GIVEN_UP) {
            return GIVEN_UP;
        }
        final long nowNs = clock.nanoTime();
        boolean blocked = false;
        for (int i = 0, size = slots.size(); i < size; i++) {
            final Slot slot = slots.get(i);
            if (slot.failure == null) {
                final int done = run(slot, nowNs);
                if (done == GIVEN_UP) {
                    return GIVEN_UP;
                }
                work += done;
                blocked |= slot.task.isBlocked();
            } else if (!slot.isFailureTold) {
                work += tellFailure(slot);
            }
        }
        if (work == 0 || blocked) {
            work += transport.pump();
        }
        return work;
    }

    @Override
    public void onClose() {
        if (readCommands() == GIVEN_UP) {
            return;
        }
        while (!slots.isEmpty()) {
            if (close(slots.remove(0)) == GIVEN_UP) {
                return;
            }
        }
    }

    @Override
    public String roleName() {
        return name;
    }

    /** Whether it has tasks to run. The worker's thread. */
    boolean hasTasks() {
        return !slots.isEmpty();
    }

    /** The turn that the worker's thread is at. Any thread. */
    Turn turn() {
        return turn;
    }

    /**
     * Tells the job of a task that does not return, and interrupts the worker's thread if that is in the user's code. The watching
     * thread's.
     *
     * @param number of the turn.
     * @param forNs how long it has taken.
     */
    void interrupt(final long number, final long forNs) {
        final Thread thread = turn.hold(number);
        if (thread == null) {
            return;
        }
        try {
            final Slot slot = current;
            final Whereabouts place = new Whereabouts(thread);
            // Before what the interrupt makes of it.
            slot.listener.failed(slot.task.id(), slot.attempt, place.stuck(slot.task.id(), forNs));
            if (place.isUserCode()) {
                thread.interrupt();
            }
        } finally {
            turn.release(number);
        }
    }

    /**
     * Takes the worker from a thread that does not come back from a task; the task stays with that thread, which closes it if it
     * ever returns. The watching thread's.
     *
     * @param number of the turn.
     * @param forNs how long it has taken.
     * @return whether another thread has to take over; false if the task has returned after all.
     */
    boolean giveUp(final long number, final long forNs) {
        final Thread thread = turn.take(number);
        if (thread == null) {
            return false;
        }
        final Slot slot = current;
        slots.remove(slot);
        slot.listener.givenUp(slot.task.id(), slot.attempt, new Whereabouts(thread).givenUp(slot.task.id(), forNs));
        return true;
    }

    private int run(final Slot slot, final long nowNs) {
        current = slot;
        final long number = turn.begin();
        int work = 1;
        try {
            work = slot.task.doWork(nowNs);
        } catch (final Throwable e) { // an Error too: it is this task's, and the others' worker must live
            slot.failure = e;
            if (e instanceof OutOfMemoryError) {
                reserve.spend();
            }
        }
        if (!turn.end(number)) {
            closeGivenUp(slot);
            return GIVEN_UP;
        }
        if (slot.failure == null && !turn.wasHeld()) {
            return work;
        }
        Thread.interrupted(); // it was meant for this task, not for the next
        return slot.failure == null ? work : tellFailure(slot);
    }

    /** A heap that is full may have no room for the message either: then it is told in the next cycle. */
    private static int tellFailure(final Slot slot) {
        try {
            slot.listener.failed(slot.task.id(), slot.attempt, slot.failure);
            slot.isFailureTold = true;
        } catch (final OutOfMemoryError e) {
            slot.isFailureTold = false;
        }
        return 1;
    }

    private int readCommands() {
        int count = 0;
        for (Command command; (command = commands.poll()) != null; count++) {
            if (command.add) {
                slots.add(command.slot);
                reserve.fill();
            } else if (remove(command.slot.task, slots) == GIVEN_UP) {
                return GIVEN_UP;
            }
        }
        return count;
    }

    private int remove(final Task task, final List<Slot> from) {
        for (int i = 0; i < from.size(); i++) {
            if (from.get(i).task == task) {
                return close(from.remove(i));
            }
        }
        return 0;
    }

    private int close(final Slot slot) {
        current = slot;
        final long number = turn.begin();
        Throwable failure = null;
        try {
            slot.task.close();
        } catch (final Throwable e) { // whatever it is, the job must hear that the task is closed
            failure = e;
        }
        if (!turn.end(number)) {
            return GIVEN_UP;
        }
        current = null; // what the task held is garbage now
        Thread.interrupted();
        try {
            if (failure != null) {
                slot.listener.failed(slot.task.id(), slot.attempt, failure);
            }
        } finally {
            slot.listener.closed(slot.task.id(), slot.attempt);
        }
        return 1;
    }

    /** Its job has ended without it, and this is the only thread that may touch it. */
    private static void closeGivenUp(final Slot slot) {
        try {
            slot.task.close();
        } catch (final Throwable e) { // the thread must not go on with its worker, whatever this was
            LOGGER.log(Level.WARNING, "task not closed: name=" + slot.task.id().display(), e);
        }
    }

    private record Command(Slot slot, boolean add) {}

    private static final class Slot {
        private final Task task;
        private final int attempt;
        private final TaskListener listener;
        private Throwable failure;
        private boolean isFailureTold;

        Slot(final Task task, final int attempt, final TaskListener listener) {
            this.task = task;
            this.attempt = attempt;
            this.listener = listener;
        }
    }
}
