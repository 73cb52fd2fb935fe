package io.weir.engine;

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
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Every behavioural case about barriers, the snapshot step, the coordinator, retained checkpoints, commits, rescaling, finished tasks, stops
 * and whole jobs (sections A to L of the collection, {@code FC-n}), and every fault of other engines that was one of buffers, barriers, the
 * coordinator, increments, the end of input, rescaling, commits or durability ({@code FLINK-n}, {@code jet-n} and others), is named by a
 * test, or here with the reason why none can be.
 */
class BehaviourCasesIndexTest {
    private static final String CASES = """
        1 2 3 4 6 7 8 10 11 13 14
        16 17 18 19 20 21 23 24 25 26 27 28 31 32 33 34 37
        38 39 40 41 42 44 46 47 48 49 50
        52 53 54 55 57 58 60
        62 63 64 66 67 68 69 70 71 72 73 74
        75 76 78 79 80 81 82 84 85 86 87 89 90 91 92 93 94 95 97 98 99 100 101 102 104 105 106
        107 108 109 110 111 112 113 114
        115 116 117 118 119 120 122 123 125 126
        127 128 129 130 131 132 133 134 135 136 140 141
        142 143 144 145 146 148 149
        151 152 153 154 155 156 158 159
        161 162 164 165 166 167 168
        """;

    private static final String CASES_ELSEWHERE = """
        10  | An end of data always stands for the channel's barriers; it never aborts.
        25  | No timer can outlive its task: nothing fires by itself, the task asks for the time it wants.
        97  | The coordinator runs no code of users, neither before a trigger nor at any other time.
        102 | Nothing on the coordinator's side has a part in checkpoints; what it tells tasks is abort, then complete: FC-79.
        119 | Transactions have no age limit: what is prepared stays until it is committed or dropped, however late.
        149 | A job without checkpoints is none: its sinks commit with them, and the last one is taken at the end.
        """;

    private static final String REPORTS = """
        FLINK-20654 FLINK-21104 FLINK-17315 FLINK-17564 FLINK-17568 FLINK-17994 FLINK-18238 FLINK-18252 FLINK-18139
        FLINK-22815 FLINK-22686 FLINK-21945 FLINK-31963 FLINK-40269 FLINK-22596 FLINK-23041 FLINK-23201 FLINK-24068
        FLINK-23938 FLINK-20331 FLINK-25305 FLINK-35761 FLINK-38544 FLINK-39481 FLINK-10809 FLINK-34063 FLINK-33863
        FLINK-23473 FLINK-24065 FLINK-26403 FLINK-37605 FLINK-37747 FLINK-7067 FLINK-15152 FLINK-12858 FLINK-21132
        FLINK-21028 FLINK-17170 FLINK-23741 FLINK-23884 FLINK-19907 FLINK-14239 FLINK-22376 FLINK-17440
        FLINK-18403 FLINK-17107 FLINK-37870 FLINK-13969 FLINK-13256 FLINK-7844 FLINK-21996 FLINK-16986
        jet-2503 jet-2487 jet-1016 KAFKA-12693 KAFKA-5986
        FLINK-21351 FLINK-24611 FLINK-25395 FLINK-26985 FLINK-7783 FLINK-23949
        FLINK-10377 FLINK-7978 FLINK-9295 FLINK-13226 FLINK-13535 KAFKA-6634 KAFKA-19690 iceberg-18123
        FLINK-24667 FLINK-36421 FLINK-35217 FLINK-34518 jet-1234 hazelcast-18675 hazelcast-24489 KAFKA-7192 KAFKA-12634
        aeron-1900 Chronicle-Queue-251
        jet-1435 jet-1377 jet-1879 jet-1397 iceberg-15846 paimon-9236
        """;

    private static final String REPORTS_ELSEWHERE = """
        FLINK-17564  | One thread reads, captures and processes a channel: there is no second one to append out of order.
        FLINK-12858  | A task that stands still for a savepoint goes on when that is aborted; the job need not fail: FC-154, FC-156.
        FLINK-19907  | What an operator emits in open comes by a channel, which is read behind all that was restored.
        FLINK-21028  | No thread is ever interrupted: a task is asked by its mailbox, a worker by a flag.
        FLINK-17170  | No lock is held where records are emitted, nor anywhere else on a task's thread.
        FLINK-23884  | A task answers triggers until it is closed, with its last state once it has finished.
        FLINK-21132  | A stop ends no input unless it is to: it takes a checkpoint or savepoint and closes the tasks; FC-151.
        FLINK-34063  | List state is written element by element, uncompressed: there are no offsets to get wrong.
        FLINK-33863  | As FLINK-34063.
        FLINK-21996  | No events are sent to subtasks but triggers and notices: which partitions a source reads is fixed at its start.
        FLINK-16986  | As FLINK-21996.
        hazelcast-24489 | A store sweeps the folder of its own job only, once it has claimed it.
        KAFKA-7192   | No state outlives its process but in checkpoints: scratch files are never read by another one.
        KAFKA-12634  | As KAFKA-7192; a position is part of the snapshot whose state belongs to it.
        aeron-1900   | Aeron carries what is between tasks only; nothing is replayed from it.
        KAFKA-6634   | No transaction expires, and one is opened by its first record, which comes behind the restore.
        KAFKA-19690  | No transaction expires: a writer that was away is fenced if another attempt has begun, else it goes on.
        iceberg-15846 | A transaction's handle is state of the sink itself, no record that could be in flight.
        paimon-9236  | Each subtask of a sink commits for itself: there is no end marker of all writers together.
        """;

    @Test
    void shouldNameEveryCaseInATestOrHere() throws IOException {
        assertNamed(words(CASES), CASES_ELSEWHERE, "(?:FC-|Fc)(\\d+)");
    }

    @Test
    void shouldNameEveryReportedFaultInATestOrHere() throws IOException {
        assertNamed(
                words(REPORTS),
                REPORTS_ELSEWHERE,
                "((?:FLINK|KAFKA|jet|hazelcast|iceberg|paimon|aeron|Chronicle-Queue)-\\d+)");
    }

    private static void assertNamed(final Set<String> all, final String reasons, final String pattern)
            throws IOException {
        final Map<String, List<String>> named = namedInTests(Pattern.compile(pattern));
        final Set<String> elsewhere = new TreeSet<>();
        for (final String line : reasons.trim().split("\n")) {
            elsewhere.add(line.trim().split("\\s*\\|")[0]);
        }
        final Set<String> found = new TreeSet<>(named.keySet());
        found.retainAll(all);
        final Set<String> both = new TreeSet<>(found);
        both.retainAll(elsewhere);
        assertEquals(Set.of(), both, () -> "has a test, and a reason to have none: " + named);
        found.addAll(elsewhere);
        assertEquals(all, found);
    }

    private static Set<String> words(final String text) {
        return new TreeSet<>(List.of(text.trim().split("\\s+")));
    }

    private static Map<String, List<String>> namedInTests(final Pattern pattern) throws IOException {
        final Map<String, List<String>> named = new TreeMap<>();
        for (final String tests : List.of(
                "src/test/java",
                "../storage/core/src/test/java",
                "../storage/chronicle/src/test/java",
                "../transport/src/test/java")) {
            try (Stream<Path> files = Files.walk(Path.of(tests))) {
                for (final Path file :
                        files.filter(BehaviourCasesIndexTest::isSource).toList()) {
                    final Matcher name = pattern.matcher(Files.readString(file));
                    while (name.find()) {
                        final String key = name.group(1).replaceFirst("^0+", "");
                        named.computeIfAbsent(key, any -> new ArrayList<>())
                                .add(file.getFileName().toString());
                    }
                }
            }
        }
        return named;
    }

    private static boolean isSource(final Path file) {
        return file.toString().endsWith(".java") && !file.endsWith("BehaviourCasesIndexTest.java");
    }
}
