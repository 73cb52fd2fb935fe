package io.weir.transport;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(packages = "io.weir.transport", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
    private static final String ROOT = "io.weir.transport";

    @ArchTest
    static final ArchRule SHOULD_SEE_AERON_ONLY_IN_ITS_ROOMS = noClasses()
            .that()
            .resideOutsideOfPackages(ROOT + ".aeron..", ROOT + ".driver..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.aeron..");

    @ArchTest
    static final ArchRule SHOULD_SEE_THE_MEDIA_DRIVER_ONLY_IN_ITS_ROOM = noClasses()
            .that()
            .resideOutsideOfPackage(ROOT + ".driver..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("io.aeron.driver..");

    @ArchTest
    static final ArchRule SHOULD_KEEP_FRAMES_PURE = classes()
            .that()
            .resideInAPackage(ROOT + ".frame..")
            .should()
            .onlyDependOnClassesThat()
            .resideInAnyPackage(ROOT + ".frame..", "org.agrona..", "java..");

    @ArchTest
    static final ArchRule SHOULD_KEEP_THE_FACES_FREE_OF_THE_MEDIA = noClasses()
            .that()
            .resideInAPackage(ROOT)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(ROOT + ".channel..", ROOT + ".aeron..", ROOT + ".driver..", ROOT + ".memory..");

    @ArchTest
    static final ArchRule SHOULD_READ_ALL_MEDIA_ALIKE = noClasses()
            .that()
            .resideInAPackage(ROOT + ".channel..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(ROOT + ".aeron..", ROOT + ".driver..", ROOT + ".memory..");

    @ArchTest
    static final ArchRule SHOULD_KEEP_THE_MEDIA_APART = noClasses()
            .that()
            .resideInAnyPackage(ROOT + ".aeron..", ROOT + ".driver..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage(ROOT + ".memory..");

    @ArchTest
    static final ArchRule SHOULD_KEEP_THE_DRIVER_BELOW_THE_CHANNELS = noClasses()
            .that()
            .resideInAPackage(ROOT + ".driver..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(ROOT + ".aeron..", ROOT + ".channel..", ROOT + ".frame..");
}
