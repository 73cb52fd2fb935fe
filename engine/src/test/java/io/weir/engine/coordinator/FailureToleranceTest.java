package io.weir.engine.coordinator;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class FailureToleranceTest {
    @Test
    void shouldStartAnewAtASuccessAndIgnoreWhatIsOlderFc93a() {
        FailureTolerance tolerance = new FailureTolerance(2);

        assertFalse(tolerance.onFailed(1, CheckpointFailureReason.EXPIRED));
        assertFalse(tolerance.onFailed(2, CheckpointFailureReason.EXPIRED));
        tolerance.onCompleted(2);
        assertFalse(tolerance.onFailed(1, CheckpointFailureReason.EXPIRED));
        assertFalse(tolerance.onFailed(3, CheckpointFailureReason.EXPIRED));
        assertFalse(tolerance.onFailed(4, CheckpointFailureReason.EXPIRED));
    }

    @Test
    void shouldFailTheJobOnceForEachRowOfFailures() {
        FailureTolerance tolerance = new FailureTolerance(1);

        assertFalse(tolerance.onFailed(1, CheckpointFailureReason.SNAPSHOT_FAILED));
        assertTrue(tolerance.onFailed(2, CheckpointFailureReason.STORE_FAILED));
        assertFalse(tolerance.onFailed(3, CheckpointFailureReason.STORE_OUTCOME_UNKNOWN));
        assertTrue(tolerance.onFailed(4, CheckpointFailureReason.EXPIRED));
    }

    @Test
    void shouldCountOnlyFailuresOfTheCheckpointItself() {
        FailureTolerance tolerance = new FailureTolerance(0);

        for (CheckpointFailureReason reason : CheckpointFailureReason.values()) {
            if (!reason.isCounted()) {
                assertFalse(tolerance.onFailed(1, reason), reason::name);
            }
        }
        assertTrue(tolerance.onFailed(1, CheckpointFailureReason.SNAPSHOT_FAILED));
    }
}
