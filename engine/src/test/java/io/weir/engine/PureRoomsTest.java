package io.weir.engine;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** The deciding rooms stay pure: nothing of ours, no I/O, no thread, no clock. */
class PureRoomsTest {
    private static final String[] PURE_ROOMS = {"io.weir.engine.barrier", "io.weir.engine.coordinator"};

    private final JavaClasses engine = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages(PURE_ROOMS);

    @Test
    void shouldDependOnNothingButTheirOwnRoomAndPlainJava() {
        for (String room : PURE_ROOMS) {
            classes()
                    .that()
                    .resideInAPackage(room)
                    .should()
                    .onlyDependOnClassesThat()
                    .resideInAnyPackage(
                            room,
                            "java.lang",
                            "java.lang.invoke",
                            "java.lang.runtime",
                            "java.util",
                            "java.util.concurrent.atomic",
                            "java.util.function",
                            "java.util.stream")
                    .check(engine);
        }
    }

    @Test
    void shouldReadNoClockAndStartNoThread() {
        noClasses()
                .should()
                .callMethod(System.class, "nanoTime")
                .orShould()
                .callMethod(System.class, "currentTimeMillis")
                .orShould()
                .dependOnClassesThat()
                .areAssignableTo(Thread.class)
                .check(engine);
    }
}
