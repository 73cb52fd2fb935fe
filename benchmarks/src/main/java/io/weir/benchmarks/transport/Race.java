package io.weir.benchmarks.transport;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;

/** Runs a lane for a while on two threads. */
final class Race {
    private final Lane lane;
    private volatile boolean isStopped;
    private volatile long sent = -1;

    private Race(final Lane lane) {
        this.lane = lane;
    }

    /** Gives the records received per second; all that were sent are received. */
    static double run(final Lane lane, final double seconds) throws InterruptedException, ExecutionException {
        final Race race = new Race(lane);
        final FutureTask<Long> receiver = new FutureTask<>(race::receiveAll);
        final FutureTask<Long> sender = new FutureTask<>(race::sendAll);
        new Thread(receiver, "receiver").start();
        final long beginNs = System.nanoTime();
        new Thread(sender, "sender").start();
        Thread.sleep((long) (seconds * 1000));
        race.isStopped = true;
        sender.get();
        final long received = receiver.get();
        return received * (double) TimeUnit.SECONDS.toNanos(1) / (System.nanoTime() - beginNs);
    }

    // Both threads want the two cores that there may be: a stalled one has to let others go first.
    @SuppressWarnings("ThreadPriorityCheck")
    private long sendAll() {
        long count = 0;
        while (!isStopped) {
            final int records = lane.send();
            if (records == 0) {
                lane.pump();
                Thread.yield();
            }
            count += records;
        }
        sent = count;
        return count;
    }

    @SuppressWarnings("ThreadPriorityCheck")
    private long receiveAll() {
        long count = 0;
        while (count != sent) {
            final int records = lane.receive();
            if (records == 0) {
                lane.pump();
                Thread.yield();
            }
            count += records;
        }
        return count;
    }
}
