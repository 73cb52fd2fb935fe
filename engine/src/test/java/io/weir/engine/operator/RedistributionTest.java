package io.weir.engine.operator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** FC-129. */
final class RedistributionTest {
    @Test
    void shouldLeaveElementsWhereTheyAreWithTheSameParallelism() {
        final List<List<Integer>> elements = List.of(List.of(1, 2, 3), List.of(), List.of(4));

        for (int subtask = 0; subtask < 3; subtask++) {
            assertEquals(elements.get(subtask), Redistribution.split(elements, subtask, 3));
        }
    }

    @Test
    void shouldDealOutElementsInTurn() {
        final List<List<Integer>> elements = List.of(List.of(1, 2, 3), List.of(), List.of(4));

        assertEquals(List.of(1, 3), Redistribution.split(elements, 0, 2));
        assertEquals(List.of(2, 4), Redistribution.split(elements, 1, 2));
        assertEquals(List.of(1, 2, 3, 4), Redistribution.split(elements, 0, 1));
        assertEquals(List.of(), Redistribution.split(elements, 4, 5));
    }

    /** FC-128. */
    @Test
    void shouldGiveEachElementToExactlyOneSubtaskAndAboutAsManyToEach() {
        for (long seed = 1; seed <= 200; seed++) {
            final Random random = new Random(seed);
            final List<List<Integer>> elements = new ArrayList<>();
            int count = 0;
            for (int i = 1 + random.nextInt(6); i > 0; i--) {
                final List<Integer> ofSubtask = new ArrayList<>();
                for (int j = random.nextInt(20); j > 0; j--) {
                    ofSubtask.add(count++);
                }
                elements.add(ofSubtask);
            }
            final int parallelism = 1 + random.nextInt(8);

            final List<Integer> dealt = new ArrayList<>();
            for (int subtask = 0; subtask < parallelism; subtask++) {
                final List<Integer> mine = Redistribution.split(elements, subtask, parallelism);
                dealt.addAll(mine);
                final int least = count / parallelism;
                if (parallelism != elements.size()) {
                    assertTrue(mine.size() == least || mine.size() == least + 1, "seed " + seed + ": " + mine.size());
                }
            }

            dealt.sort(null);
            assertEquals(Redistribution.union(elements), dealt, "seed " + seed);
        }
    }

    @Test
    void shouldUniteInOrderOfTheSubtasks() {
        assertEquals(List.of(3, 1, 2), Redistribution.union(List.of(List.of(3, 1), List.of(), List.of(2))));
    }

    @Test
    void shouldTakeBroadcastStateFromTheSameSubtaskOrOneThatThereWas() {
        assertEquals(1, Redistribution.broadcastSource(1, 2));
        assertEquals(0, Redistribution.broadcastSource(0, 3));
        assertEquals(1, Redistribution.broadcastSource(3, 2));
    }

    @Test
    void shouldRefuseASubtaskThatIsNotThere() {
        assertThrows(IllegalArgumentException.class, () -> Redistribution.split(List.of(List.of(1)), 2, 2));
        assertThrows(IllegalArgumentException.class, () -> Redistribution.split(List.of(List.of(1)), -1, 2));
    }
}
