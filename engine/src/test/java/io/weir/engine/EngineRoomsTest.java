package io.weir.engine;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The arrows between the engine's rooms run one way. */
final class EngineRoomsTest {
    private static final String STATE = "io.weir.storage.state..";
    private static final String LOG = "io.weir.storage.log..";
    private static final String CHECKPOINT = "io.weir.storage.checkpoint..";

    private final JavaClasses engine = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.weir.engine");

    @Test
    void shouldKeepTheApiToStorageFaces() {
        room("api", STATE, LOG, CHECKPOINT);
    }

    @Test
    void shouldKeepTimeToState() {
        room("time", STATE);
    }

    @Test
    void shouldKeepOperatorsToApiTimeAndState() {
        room("operator", "io.weir.engine.api..", "io.weir.engine.time..", STATE);
    }

    @Test
    void shouldKeepSinksToApiOperatorsAndLogs() {
        room("sink", "io.weir.engine.api..", "io.weir.engine.operator..", LOG);
    }

    @Test
    void shouldKeepTheGraphToApiOperatorsSinksAndLogs() {
        room("graph", "io.weir.engine.api..", "io.weir.engine.operator..", "io.weir.engine.sink..", LOG);
    }

    @Test
    void shouldHaveNoCyclesBetweenRooms() {
        slices().matching("io.weir.engine.(*)..").should().beFreeOfCycles().check(engine);
    }

    private void room(final String name, final String... others) {
        final List<String> allowed = new ArrayList<>(List.of(others));
        allowed.add("io.weir.engine." + name + "..");
        allowed.add("java..");
        allowed.add("org.agrona..");
        classes()
                .that()
                .resideInAPackage("io.weir.engine." + name + "..")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(allowed.toArray(String[]::new))
                .check(engine);
    }
}
