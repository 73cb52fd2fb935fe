package io.weir.engine.barrier;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Every behavioural case about barriers (sections A to E, I and J of the collection) is either named by a test of this room,
 * or here, with the reason why it is none of the handlers'.
 */
class BarrierCasesIndexTest {
    private static final String CASES = """
        1 2 3 4 6 7 8 10 11 13 14
        16 17 18 19 20 21 23 24 25 26 27 28 31 32 33 34 37
        38 39 40 41 42 44 46 47 48 49 50
        52 53 54 55 57 58 60
        62 63 64 66 67 68 69 70 71 72 73 74
        127 128 129 130 131 132 133 134 135 136 140 141
        142 143 144 145 146 148 149
        """;

    private static final String ELSEWHERE = """
        10  | An end of data always stands for the channel's barriers; it never aborts.
        25  | No timer can outlive its task: nothing fires by itself, the task asks for the time it wants.
        63  | The task's: what is being written stops; the handler has given the checkpoint up or is done with it.
        69  | The task's: a snapshot is one action, and its order is told there.
        71  | The task's: a writer that is stuck.
        72  | The task's: handlers hear of no completion.
        127 | The planner's and the restore's: ranges of key groups.
        128 | The restore's: list state.
        129 | The restore's: list state at the same parallelism.
        130 | The restore's: keyed state.
        131 | The restore's: max parallelism.
        132 | The restore's: a changed graph.
        133 | The restore's: state of an operator that is gone.
        134 | The restore's: channel state at the same parallelism; comes with its wiring.
        135 | The restore's: channel state in fewer subtasks; comes with its wiring.
        136 | The restore's: channel state in more subtasks; comes with its wiring.
        141 | The restore's: empty key groups.
        142 | The coordinator's: whom to trigger.
        143 | The coordinator's: finished tasks count as acknowledged.
        145 | The task's and the coordinator's: which completion ends a task.
        146 | The task's: a snapshot tells whether the task has finished.
        148 | A task restored as finished reads no input, so that no barrier is awaited: it is triggered like a source.
        149 | The task's: without checkpoints it awaits none at its end.
        """;

    @Test
    void shouldNameEveryCaseInATestOrHere() throws IOException {
        Set<Integer> cases = Stream.of(CASES.trim().split("\\s+"))
                .map(Integer::valueOf)
                .collect(Collectors.toCollection(TreeSet::new));
        Map<Integer, List<String>> named = namedInTests();

        Set<Integer> elsewhere = elsewhere();
        Set<Integer> found = new TreeSet<>(named.keySet());
        found.retainAll(cases);
        Set<Integer> both = new TreeSet<>(found);
        both.retainAll(elsewhere);
        assertEquals(Set.of(), both, () -> "has a test, and a reason to have none: " + named);
        found.addAll(elsewhere);
        assertEquals(cases, found);
    }

    private static Set<Integer> elsewhere() {
        Set<Integer> numbers = new TreeSet<>();
        for (String line : ELSEWHERE.trim().split("\n")) {
            numbers.add(Integer.valueOf(line.trim().split("\\s*\\|")[0]));
        }
        return numbers;
    }

    private static Map<Integer, List<String>> namedInTests() throws IOException {
        Map<Integer, List<String>> named = new TreeMap<>();
        try (Stream<Path> files = Files.list(Path.of("src/test/java/io/weir/engine/barrier"))) {
            for (Path file :
                    files.filter(path -> path.toString().endsWith(".java")).toList()) {
                Matcher number = Pattern.compile("(?:FC-|Fc)(\\d+)").matcher(Files.readString(file));
                while (number.find()) {
                    named.computeIfAbsent(Integer.valueOf(number.group(1)), key -> new ArrayList<>())
                            .add(file.getFileName().toString());
                }
            }
        }
        return named;
    }
}
