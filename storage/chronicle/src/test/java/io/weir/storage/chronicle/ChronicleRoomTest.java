package io.weir.storage.chronicle;

import static com.tngtech.archunit.base.DescribedPredicate.anyElementThat;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaModifier.PUBLIC;
import static com.tngtech.archunit.core.domain.properties.HasModifiers.Predicates.modifier;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.weir.storage.log.TransactionalWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Chronicle stays in its room and keeps to itself. */
class ChronicleRoomTest {
    private static final JavaClasses WEIR = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("io.weir");

    @Test
    void shouldBeTheOnlyRoomThatSeesChronicle() {
        noClasses()
                .that()
                .resideOutsideOfPackage("io.weir.storage.chronicle")
                .should()
                .dependOnClassesThat()
                .resideInAPackage("net.openhft..")
                .check(WEIR);
    }

    @Test
    void shouldSeeLogsFilesAndChronicleOnly() {
        classes()
                .that()
                .resideInAPackage("io.weir.storage.chronicle")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "io.weir.storage.chronicle",
                        "io.weir.storage.log",
                        "io.weir.storage.file",
                        "net.openhft.chronicle..",
                        "org.agrona..",
                        "java..")
                .check(WEIR);
    }

    @Test
    void shouldShowNoTypeOfChronicleToUsers() {
        methods()
                .that()
                .arePublic()
                .and()
                .areDeclaredInClassesThat(
                        resideInAPackage("io.weir.storage.chronicle").and(modifier(PUBLIC)))
                .should()
                .notHaveRawReturnType(resideInAPackage("net.openhft.."))
                .andShould()
                .notHaveRawParameterTypes(anyElementThat(resideInAPackage("net.openhft..")))
                .check(WEIR);
    }

    @Test
    void shouldReportNothingToAnybody(@TempDir final Path folder) throws IOException {
        final List<Path> before = reportsInHome();
        try (TransactionalWriter writer =
                ChronicleQueueLog.at(folder.resolve("queue")).open("w", 1)) {
            writer.append(new UnsafeBuffer(new byte[] {1}), 0, 1);
            writer.commit(writer.prepare(1));
        }
        assertEquals(1, ChronicleQueueLogTest.visible(folder.resolve("queue")).size());
        assertEquals(before, reportsInHome());
        assertEquals("true", System.getProperty("chronicle.analytics.disable"));
        assertThrows(ClassNotFoundException.class, () -> Class.forName("net.openhft.chronicle.analytics.Analytics"));
    }

    private static List<Path> reportsInHome() throws IOException {
        try (Stream<Path> files = Files.list(Path.of(System.getProperty("user.home")))) {
            return files.filter(file -> file.getFileName().toString().startsWith(".chronicle.analytics"))
                    .sorted()
                    .toList();
        }
    }
}
