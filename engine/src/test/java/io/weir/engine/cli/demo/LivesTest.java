package io.weir.engine.cli.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class LivesTest {
    private final Lives lives = new Lives();

    @Test
    void shouldNotBeKilledBeforeItHasReadARecordAndCompletedACheckpoint() {
        lives.started();
        assertFalse(lives.mayBeKilled());
        lives.running(0);
        lives.firstRecord();
        assertFalse(lives.mayBeKilled(), "without a checkpoint");
        lives.completed(1);
        assertTrue(lives.mayBeKilled());

        lives.started();
        assertFalse(lives.mayBeKilled(), "by what the life before has done");
        lives.running(1);
        lives.completed(2);
        assertFalse(lives.mayBeKilled(), "without a record");
        lives.firstRecord();
        assertTrue(lives.mayBeKilled());
    }

    @Test
    void shouldTellWhatEachLifeWentOnFrom() {
        lives.started();
        lives.running(0);
        assertEquals(List.of(), lives.resumedFrom());
        lives.completed(7);
        lives.started();
        // Checkpoint 8 completed just before the kill, which took the word of it along.
        lives.running(8);
        lives.completed(9);
        lives.started();
        lives.running(9);

        assertEquals(List.of(8L, 9L), lives.resumedFrom());
        assertEquals(List.of(), lives.faults());
    }

    @Test
    void shouldNameALifeThatBeganWithLessThanHadCompleted() {
        lives.started();
        lives.running(0);
        lives.completed(7);
        lives.started();
        lives.running(6);

        assertEquals(List.of("life 2 began with checkpoint 6, but checkpoint 7 had completed before"), lives.faults());
    }
}
