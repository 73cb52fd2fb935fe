package io.weir.storage;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.util.Set;

/** The arrows between the rooms of storage. */
@AnalyzeClasses(packages = "io.weir.storage", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
    private static final String ROOT = "io.weir.storage";
    private static final String FILE = ROOT + ".file";
    private static final String STATE = ROOT + ".state";
    private static final String PAGE = ROOT + ".page";
    private static final String FRAME = ROOT + ".frame";
    private static final String SNAPSHOT = ROOT + ".snapshot";
    private static final String PAGEFILE = ROOT + ".pagefile";
    private static final String CHECKPOINT = ROOT + ".checkpoint";
    private static final String INSPECT = ROOT + ".inspect";
    private static final String LOG = ROOT + ".log";
    private static final Set<String> SNAPSHOT_FACES = Set.of(
            "SegmentReader",
            "SegmentWriter",
            "SegmentHandle",
            "SharedSegments",
            "SnapshotException",
            "CorruptionException");

    @ArchTest
    static final ArchRule SHOULD_LET_FILES_SEE_NOTHING_OF_OURS = sees(FILE);

    @ArchTest
    static final ArchRule SHOULD_LET_SNAPSHOTS_SEE_FILES_ONLY = sees(SNAPSHOT, FILE);

    @ArchTest
    static final ArchRule SHOULD_LET_PAGE_FILES_SEE_SNAPSHOTS_AND_FILES_ONLY = sees(PAGEFILE, SNAPSHOT, FILE);

    @ArchTest
    static final ArchRule SHOULD_LET_FRAMES_SEE_FILES_AND_NOTHING_OF_PAGES = sees(FRAME, FILE, STATE);

    @ArchTest
    static final ArchRule SHOULD_LET_CHECKPOINTS_SEE_SNAPSHOTS_AND_FILES_ONLY =
            sees(CHECKPOINT, SNAPSHOT, PAGEFILE, FILE);

    @ArchTest
    static final ArchRule SHOULD_LET_INSPECTION_SEE_WHAT_CHECKPOINTS_ARE_MADE_OF =
            sees(INSPECT, CHECKPOINT, SNAPSHOT, PAGEFILE, PAGE, STATE, FILE);

    @ArchTest
    static final ArchRule SHOULD_LET_NOBODY_SEE_INSPECTION = noClasses()
            .that()
            .resideOutsideOfPackage(INSPECT)
            .should()
            .dependOnClassesThat()
            .resideInAPackage(INSPECT);

    @ArchTest
    static final ArchRule SHOULD_LET_LOGS_SEE_FILES_ONLY = sees(LOG, FILE);

    @ArchTest
    static final ArchRule SHOULD_LET_STATE_SEE_PAGES_AND_THE_FACES_OF_SNAPSHOTS_ONLY = sees(STATE, PAGE, SNAPSHOT);

    @ArchTest
    static final ArchRule SHOULD_HIDE_SNAPSHOT_FORMATS_FROM_STATE = noClasses()
            .that()
            .resideInAPackage(STATE)
            .should()
            .dependOnClassesThat(new DescribedPredicate<>("are snapshot formats") {
                @Override
                public boolean test(final JavaClass other) {
                    return other.getName().startsWith(SNAPSHOT + ".")
                            && SNAPSHOT_FACES.stream()
                                    .noneMatch(face -> other.getName().matches(".*\\." + face + "(\\$.*)?"));
                }
            });

    @ArchTest
    static final ArchRule SHOULD_TOUCH_THE_DISK_IN_ONE_ROOM_ONLY = noClasses()
            .that()
            .resideOutsideOfPackage(FILE)
            .should()
            .dependOnClassesThat()
            .resideInAPackage("java.nio.channels..")
            .orShould()
            .dependOnClassesThat()
            .haveFullyQualifiedName("java.nio.file.Files")
            .orShould()
            .dependOnClassesThat(new DescribedPredicate<>("are files or file streams of java.io") {
                @Override
                public boolean test(final JavaClass other) {
                    return other.getName().matches("java\\.io\\.(Random.*)?File.*");
                }
            });

    @ArchTest
    static final ArchRule SHOULD_NOT_KNOW_WHO_USES_STORAGE = noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.weir.engine..", "io.weir.transport..", "io.aeron..");

    private static ArchRule sees(final String room, final String... others) {
        final String[] allowed = new String[others.length + 3];
        System.arraycopy(others, 0, allowed, 0, others.length);
        allowed[others.length] = room;
        allowed[others.length + 1] = "java..";
        allowed[others.length + 2] = "org.agrona..";
        return classes()
                .that()
                .resideInAPackage(room)
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(allowed);
    }
}
