package io.weir.engine.coordinator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.Test;

class TaskTopologyTest {
    @Test
    void shouldTellFirstRunningTasksOfADiamond() {
        TaskTopology topology = CoordinatorScript.topology("4 0>1 0>2 1>3 2>3");

        assertEquals(set(0), topology.firstRunning(set()));
        assertEquals(set(1, 2), topology.firstRunning(set(0)));
        assertEquals(set(2), topology.firstRunning(set(0, 1)));
        assertEquals(set(3), topology.firstRunning(set(0, 1, 2)));
        assertEquals(set(), topology.firstRunning(set(0, 1, 2, 3)));
    }

    @Test
    void shouldRefuseLoopsAndStrangeTasks() {
        IllegalArgumentException loop =
                assertThrows(IllegalArgumentException.class, () -> CoordinatorScript.topology("4 0>1 1>2 2>1 2>3"));
        assertTrue(loop.getMessage().contains("task 1"), loop.getMessage());
        assertThrows(IllegalArgumentException.class, () -> CoordinatorScript.topology("1 0>0"));
        assertThrows(IllegalArgumentException.class, () -> CoordinatorScript.topology("2 0>2"));
        assertThrows(IllegalArgumentException.class, () -> new TaskTopology(0, List.of()));
    }

    private static BitSet set(int... tasks) {
        BitSet set = new BitSet();
        for (int task : tasks) {
            set.set(task);
        }
        return set;
    }
}
