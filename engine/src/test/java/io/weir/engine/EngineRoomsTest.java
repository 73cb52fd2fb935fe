package io.weir.engine;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * The arrows between the engine's rooms, all of them, run one way: a room sees itself, plain Java, Agrona and what stands in its
 * line here. An arrow that nothing follows any more fails too, so the list says what is.
 */
final class EngineRoomsTest {
    private static final String ENGINE = "io.weir.engine";
    private static final String CLI = ENGINE + ".cli";
    private static final String TRANSPORT = "io.weir.transport";
    private static final String CHRONICLE = "io.weir.storage.chronicle";
    private static final String CHECKPOINT = "io.weir.storage.checkpoint";
    private static final String FILE = "io.weir.storage.file";
    private static final String INSPECT = "io.weir.storage.inspect";
    private static final String LOG = "io.weir.storage.log";
    private static final String PAGE = "io.weir.storage.page";
    private static final String SNAPSHOT = "io.weir.storage.snapshot";
    private static final String STATE = "io.weir.storage.state";
    private static final String DRIVER = "io.weir.transport.driver";
    private static final String HISTOGRAM = "org.HdrHistogram";

    private final JavaClasses engine = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages(ENGINE);
    private final Map<String, List<String>> arrows = new TreeMap<>();

    EngineRoomsTest() {
        room("api", LOG, CHECKPOINT);
        room("barrier");
        room("coordinator");
        room("status", HISTOGRAM);
        room("control", ENGINE, in("api"), in("status"), FILE);
        room("time", STATE);
        room("operator", in("api"), in("time"), STATE);
        room("sink", in("api"), in("operator"), LOG);
        room("graph", in("api"), in("operator"), in("sink"), LOG);
        room(
                "task",
                in("api"),
                in("barrier"),
                in("graph"),
                in("operator"),
                in("time"),
                CHECKPOINT,
                LOG,
                SNAPSHOT,
                STATE,
                TRANSPORT);
        room("worker", in("task"), TRANSPORT, "net.openhft.affinity");
        room(
                "recovery",
                in("api"),
                in("barrier"),
                in("coordinator"),
                in("graph"),
                in("status"),
                in("task"),
                in("worker"),
                CHECKPOINT,
                LOG,
                SNAPSHOT,
                STATE,
                TRANSPORT);
        room(
                "simulation",
                in("api"),
                in("barrier"),
                in("coordinator"),
                in("graph"),
                in("recovery"),
                in("status"),
                in("worker"),
                CHECKPOINT,
                FILE,
                LOG,
                PAGE,
                STATE,
                TRANSPORT);
        arrows.put(
                ENGINE,
                List.of(
                        in("api"),
                        in("barrier"),
                        in("coordinator"),
                        in("graph"),
                        in("recovery"),
                        in("status"),
                        in("task"),
                        in("worker"),
                        CHECKPOINT,
                        PAGE,
                        STATE,
                        TRANSPORT));
        arrows.put(
                CLI,
                List.of(
                        ENGINE,
                        in("api"),
                        in("control"),
                        in("simulation"),
                        in("status"),
                        in("cli.demo"),
                        in("cli.export"),
                        in("cli.file"),
                        in("cli.inspect"),
                        in("cli.job"),
                        in("cli.text"),
                        CHECKPOINT,
                        CHRONICLE,
                        FILE,
                        INSPECT,
                        LOG,
                        PAGE,
                        "picocli"));
        room("cli.file");
        room("cli.inspect", in("api"), in("operator"), CHECKPOINT, INSPECT, SNAPSHOT, STATE);
        room("cli.text");
        room("cli.job", in("api"), in("cli.file"), in("cli.text"), LOG);
        room("cli.export", in("api"), in("cli.file"), in("cli.job"), LOG);
        room(
                "cli.demo",
                in("api"),
                in("status"),
                in("cli.export"),
                in("cli.file"),
                in("cli.job"),
                in("cli.text"),
                CHRONICLE,
                LOG,
                DRIVER,
                HISTOGRAM);
    }

    @Test
    void shouldFollowNoArrowsButTheStatedOnes() {
        arrows.forEach((room, others) -> rule(room, others).check(engine));
    }

    @Test
    void shouldFollowEachStatedArrow() {
        arrows.forEach((room, others) -> others.forEach(other -> {
            final List<String> rest = new ArrayList<>(others);
            rest.remove(other);
            assertTrue(
                    rule(room, rest).evaluate(engine).hasViolation(),
                    room + " does not use " + other + ": take the arrow away");
        }));
    }

    @Test
    void shouldStateTheArrowsOfEveryRoom() {
        assertEquals(
                new TreeSet<>(arrows.keySet()),
                engine.stream()
                        .map(type -> type.getPackageName())
                        .filter(name -> arrows.keySet().stream().noneMatch(room -> isSubRoomOf(room, name)))
                        .collect(Collectors.toCollection(TreeSet::new)));
    }

    @Test
    void shouldHaveNoCyclesBetweenRooms() {
        slices().matching(ENGINE + ".(*)..").should().beFreeOfCycles().check(engine);
        slices().matching(CLI + ".(*)..").should().beFreeOfCycles().check(engine);
    }

    private void room(final String name, final String... others) {
        arrows.put(in(name), List.of(others));
    }

    private static String in(final String room) {
        return ENGINE + '.' + room;
    }

    /** A sub-room of a leaf room, such as {@code api.codec}, goes with its room. */
    private static boolean isSubRoomOf(final String room, final String name) {
        return !hasSubRoomsOfItsOwn(room) && name.startsWith(room + ".");
    }

    /** The engine's own package and the one of the command line see their rooms, which do not see them. */
    private static boolean hasSubRoomsOfItsOwn(final String room) {
        return room.equals(ENGINE) || room.equals(CLI);
    }

    private static ArchRule rule(final String room, final List<String> others) {
        final List<String> allowed = new ArrayList<>(List.of("java..", "org.agrona..", pattern(room)));
        others.forEach(other -> allowed.add(pattern(other)));
        return classes()
                .that()
                .resideInAPackage(pattern(room))
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(allowed.toArray(String[]::new));
    }

    private static String pattern(final String room) {
        return hasSubRoomsOfItsOwn(room) ? room : room + "..";
    }
}
