package io.weir.engine.sink;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.weir.engine.api.Codecs;
import io.weir.engine.harness.OperatorHarness;
import io.weir.engine.harness.WatchedLog;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A sink that fails, and whose checkpoints are aborted, at random. */
final class TransactionalSinkFailureTest {
    private static final long NONE = Long.MIN_VALUE;
    private static final long SEED = Long.getLong("weir.test.seed", System.nanoTime());
    private static final int RUNS = 200;
    private static final int RECORDS = 60;

    private final Random random = new Random(SEED);

    @Test
    void shouldShowEveryRecordOnceAndInOrderWhereverItFails() throws Exception {
        for (int run = 0; run < RUNS; run++) {
            final WatchedLog log = new WatchedLog();
            final List<String> written = runToTheEnd(log);

            assertEquals(written, log.visible(), () -> "-Dweir.test.seed=" + SEED);
            assertEquals(0, log.pending(), () -> "-Dweir.test.seed=" + SEED);
        }
    }

    private List<String> runToTheEnd(final WatchedLog log) throws Exception {
        try (OperatorHarness<String> sink =
                new OperatorHarness<>(() -> new TransactionalSink<>(log, Codecs.strings()))) {
            OperatorHarness.Snapshot completed = null;
            int written = 0;
            int writtenAtCompleted = 0;
            sink.open();
            while (written < RECORDS) {
                switch (random.nextInt(8)) {
                    case 0 -> {
                        final OperatorHarness.Snapshot snapshot = sink.snapshot();
                        if (random.nextInt(3) == 0) {
                            sink.abort(snapshot.checkpointId());
                        } else {
                            completed = snapshot;
                            writtenAtCompleted = written;
                            if (random.nextBoolean()) {
                                sink.completeWithoutIo(snapshot.checkpointId());
                            }
                        }
                    }
                    case 1 -> sink.runActions();
                    case 2 -> {
                        sink.fail();
                        sink.open(completed);
                        written = writtenAtCompleted;
                    }
                    default -> sink.receive(Integer.toString(written++), NONE, NONE);
                }
            }
            sink.watermark(Long.MAX_VALUE);
            sink.complete(sink.snapshot().checkpointId());
            return IntStream.range(0, written).mapToObj(Integer::toString).toList();
        }
    }
}
