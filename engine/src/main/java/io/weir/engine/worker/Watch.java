package io.weir.engine.worker;

import java.util.ArrayList;
import java.util.List;

/**
 * Looks after the workers: a task that does not return is told to its job and interrupted, and if that is of no use the worker goes
 * to a new thread, so that the other tasks go on. One thread, which is none of theirs.
 */
public final class Watch {
    private final Workers workers;
    private final List<Watchdog> watchdogs = new ArrayList<>();

    /**
     * Watches from the first look on.
     *
     * @param workers to watch.
     * @param timeoutNs that a task may take to return, positive.
     */
    public Watch(final Workers workers, final long timeoutNs) {
        this.workers = workers;
        workers.all().forEach(worker -> watchdogs.add(new Watchdog(timeoutNs)));
    }

    /**
     * Looks at all workers, much more often than every eighth of the timeout.
     *
     * @param nowNs of any clock that never steps back.
     */
    public void look(final long nowNs) {
        for (int i = 0; i < watchdogs.size(); i++) {
            final Worker worker = workers.worker(i);
            final Watchdog watchdog = watchdogs.get(i);
            final long turn = worker.turn().number();
            switch (watchdog.look(turn, nowNs)) {
                case INTERRUPT -> worker.interrupt(turn, watchdog.heldNs());
                case GIVE_UP -> workers.giveUp(i, turn, watchdog.heldNs());
                default -> {
                    // It comes back.
                }
            }
        }
    }
}
