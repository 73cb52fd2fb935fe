package io.weir.engine.worker;

import io.weir.engine.task.Task;
import io.weir.engine.task.TaskListener;
import io.weir.transport.Transport;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.EpochNanoClock;
import org.agrona.concurrent.ManyToOneConcurrentLinkedQueue;

/**
 * Runs many tasks round robin on one thread. The clock is read once per duty cycle. When all tasks stall, or one of them is
 * blocked, the media driver gets a turn, since only its conductor moves the limits of publishers.
 *
 * <p>The worker's thread, but for {@link #add} and {@link #remove}, which any thread may call.
 */
public final class Worker implements Agent {
    private final String name;
    private final Transport transport;
    private final EpochNanoClock clock;
    private final ManyToOneConcurrentLinkedQueue<Command> commands = new ManyToOneConcurrentLinkedQueue<>();
    private final List<Slot> slots = new ArrayList<>();

    /**
     * A worker.
     *
     * @param name of its thread.
     * @param transport to pump.
     * @param clock of the engine.
     */
    public Worker(final String name, final Transport transport, final EpochNanoClock clock) {
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

    @Override
    public int doWork() {
        int work = readCommands();
        final long nowNs = clock.nanoTime();
        boolean blocked = false;
        for (int i = 0, size = slots.size(); i < size; i++) {
            final Slot slot = slots.get(i);
            if (!slot.failed) {
                work += run(slot, nowNs);
                blocked |= slot.task.isBlocked();
            }
        }
        if (work == 0 || blocked) {
            work += transport.pump();
        }
        return work;
    }

    @Override
    public void onClose() {
        readCommands();
        for (final Slot slot : slots) {
            close(slot);
        }
        slots.clear();
    }

    @Override
    public String roleName() {
        return name;
    }

    private static int run(final Slot slot, final long nowNs) {
        try {
            return slot.task.doWork(nowNs);
        } catch (final Exception e) {
            slot.failed = true;
            slot.listener.failed(slot.task.id(), slot.attempt, e);
            return 1;
        } catch (final Error e) {
            slot.failed = true;
            slot.listener.failed(slot.task.id(), slot.attempt, e);
            throw e;
        }
    }

    private int readCommands() {
        int count = 0;
        for (Command command; (command = commands.poll()) != null; count++) {
            if (command.add) {
                slots.add(command.slot);
            } else {
                remove(command.slot.task, slots);
            }
        }
        return count;
    }

    private static void remove(final Task task, final List<Slot> slots) {
        for (int i = 0; i < slots.size(); i++) {
            if (slots.get(i).task == task) {
                close(slots.remove(i));
                return;
            }
        }
    }

    private static void close(final Slot slot) {
        try {
            slot.task.close();
        } finally {
            slot.listener.closed(slot.task.id(), slot.attempt);
        }
    }

    private record Command(Slot slot, boolean add) {}

    private static final class Slot {
        private final Task task;
        private final int attempt;
        private final TaskListener listener;
        private boolean failed;

        Slot(final Task task, final int attempt, final TaskListener listener) {
            this.task = task;
            this.attempt = attempt;
            this.listener = listener;
        }
    }
}
