package io.weir.engine;

import static com.tngtech.archunit.core.domain.JavaCall.Predicates.target;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.junit.jupiter.api.Assertions.assertEquals;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitCallTarget;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;

/**
 * What runs on a worker's thread waits for nobody. No class is excepted: the end of workers is awaited by an idle strategy of
 * Agrona's, on the thread that closes the engine, and blocking work goes to the I/O lane, whose own short monitor guards a queue.
 */
final class NonBlockingRoomsTest {
    private static final String[] ROOMS = {"barrier", "operator", "sink", "task", "time", "worker"};
    private static final Map<Class<?>, List<String>> WAITING = new LinkedHashMap<>();

    static {
        WAITING.put(Object.class, List.of("wait"));
        WAITING.put(Thread.class, List.of("sleep", "join"));
        WAITING.put(TimeUnit.class, List.of("sleep", "timedJoin", "timedWait"));
        WAITING.put(LockSupport.class, List.of("park", "parkNanos", "parkUntil"));
        WAITING.put(Lock.class, List.of("lock", "lockInterruptibly", "tryLock"));
        WAITING.put(Condition.class, List.of("await", "awaitNanos", "awaitUntil", "awaitUninterruptibly"));
        WAITING.put(Future.class, List.of("get", "join", "resultNow"));
        WAITING.put(CountDownLatch.class, List.of("await"));
        WAITING.put(CyclicBarrier.class, List.of("await"));
        WAITING.put(Semaphore.class, List.of("acquire", "acquireUninterruptibly", "tryAcquire"));
        WAITING.put(BlockingQueue.class, List.of("take", "put", "offer", "poll"));
        WAITING.put(ExecutorService.class, List.of("awaitTermination", "invokeAll", "invokeAny", "close"));
        WAITING.put(Process.class, List.of("waitFor"));
    }

    @Test
    void shouldNotWaitOnAWorkersThread() {
        final JavaClasses engine = new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                .importPackages("io.weir.engine");
        for (final String room : ROOMS) {
            noClasses()
                    .that()
                    .resideInAPackage("io.weir.engine." + room + "..")
                    .should()
                    .callMethodWhere(target(isWaiting()))
                    .check(engine);
        }
    }

    @Test
    void shouldNoticeEachKindOfWaiting() {
        final ArchRule rule = noClasses().should().callMethodWhere(target(isWaiting()));

        final List<String> noticed = rule.evaluate(new ClassFileImporter().importClasses(Waits.class))
                .getFailureReport()
                .getDetails();

        assertEquals(Waits.CALLS, noticed.size(), noticed::toString);
    }

    /** The classes of Java are looked at as they are loaded: the importer does not know what they extend. */
    private static DescribedPredicate<CodeUnitCallTarget> isWaiting() {
        return DescribedPredicate.describe(
                "waits",
                method -> method.getOwner().getPackageName().startsWith("java.")
                        && WAITING.entrySet().stream()
                                .anyMatch(waiting -> waiting.getValue().contains(method.getName())
                                        && waiting.getKey()
                                                .isAssignableFrom(
                                                        method.getOwner().reflect())));
    }

    /** Does what no room may, by interfaces and by classes of theirs. Never run. */
    @SuppressWarnings({"unused", "WaitNotInLoop", "LockNotBeforeTry", "ThreadJoinLoop"})
    private static final class Waits {
        static final int CALLS = 8;

        void sleepOrPark(final Object monitor, final Thread other) throws InterruptedException {
            Thread.sleep(1);
            LockSupport.parkNanos(this, 1);
            other.join();
            synchronized (monitor) {
                monitor.wait();
            }
        }

        void waitForOthers(final ReentrantLock lock, final Future<?> future, final CountDownLatch latch)
                throws Exception {
            lock.lock();
            future.get();
            latch.await();
        }

        void take(final LinkedBlockingQueue<String> queue) throws InterruptedException {
            queue.take();
        }
    }
}
