package io.weir.engine.cli.process;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.engine.cli.data.DataSets;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the launcher says before it builds or runs anything. */
class LauncherTest {
    private static final Path LAUNCHER = DataSets.repository().resolve("weir");

    @TempDir
    private Path temp;

    private Path home;

    @Test
    void shouldSayThatJavaHomeHoldsNoJava() throws Exception {
        assertEquals(
                "weir: JAVA_HOME is " + temp + ", but there is no " + temp + "/bin/java\n",
                failure(Map.of("JAVA_HOME", temp.toString())));
    }

    @Test
    void shouldSayThatJavaIsTooOld() throws Exception {
        final Path java = fakeJava("echo 'openjdk version \"11.0.2\" 2019-01-15' >&2");

        assertEquals(
                "weir: " + java + " is version 11: Weir needs 17 or newer\n",
                failure(Map.of("JAVA_HOME", temp.toString())));
    }

    @Test
    void shouldSayThatJavaDoesNotTellItsVersion() throws Exception {
        final Path java = fakeJava("exit 3");

        assertEquals("weir: " + java + " does not tell its version\n", failure(Map.of("JAVA_HOME", temp.toString())));
    }

    @Test
    void shouldBeAbleToRunFromAnywhere() throws IOException {
        assertTrue(Files.isExecutable(LAUNCHER), LAUNCHER + " is executable");
    }

    @Test
    void shouldBuildOnceAndAgainWhenASourceIsNewOrGone() throws Exception {
        madeRepository("echo built >> builds");
        final Path source = Files.writeString(home.resolve("engine/src/main/A.java"), "");
        final FileTime before = Files.getLastModifiedTime(source.getParent());

        assertEquals(
                List.of("java of UTF-8"),
                ran(0).lines().filter(line -> !line.contains("building")).toList());
        ran(0);
        assertEquals(1, builds());
        Files.delete(source);
        // As a copy does that keeps times.
        Files.setLastModifiedTime(source.getParent(), before);
        ran(0);
        assertEquals(2, builds());
        Files.writeString(home.resolve("engine/src/main/B.java"), "");
        ran(0);
        assertEquals(3, builds());
        ran(0);
        assertEquals(3, builds());
    }

    @Test
    void shouldNotFetchAnythingForAnErrorInTheSources() throws Exception {
        madeRepository("echo built >> builds; echo COMPILATION ERROR; exit 1");

        final String output = ran(1);

        assertEquals(1, builds(), output);
        assertTrue(output.contains("COMPILATION ERROR\nweir: the build failed\n"), output);
    }

    @Test
    void shouldFetchWhatIsMissing() throws Exception {
        madeRepository("echo built >> builds\n"
                + "case \"$*\" in *' -o '*) echo Cannot access central in offline mode; exit 1 ;; esac");

        final String output = ran(0);

        assertEquals(2, builds(), output);
        assertTrue(output.contains("weir: fetching what the build needs"), output);
    }

    @Test
    void shouldNameAJarThatIsMissingOrNone() throws Exception {
        madeRepository("echo built >> builds");
        ran(0);
        final Path jar = home.resolve("lib.jar");

        Files.writeString(jar, "");
        assertEquals("weir: " + jar + " can't be read or is empty: mend or delete it\n", ran(1));
        Files.writeString(jar, "<html>");
        assertEquals("weir: " + jar + " is no jar: delete it\n", ran(1));
        Files.delete(jar);
        assertEquals(
                "weir: " + jar + " is missing: delete " + home + "/engine/target/launch.classpath to build anew\n",
                ran(1));
    }

    /** A repository whose Maven and Java only say that they ran. */
    private void madeRepository(final String maven) throws IOException {
        home = Files.createDirectory(temp.resolve("home")).toRealPath();
        fakeJava("[ \"$1\" != -version ] || { echo 'openjdk version \"17.0.1\"' >&2; exit; }\n"
                + "echo java of $(locale charmap)");
        final Path mvn = temp.resolve("bin/mvn");
        Files.writeString(
                mvn,
                "#!/bin/sh\n" + maven + "\n"
                        + "mkdir -p engine/target/classes/io/weir/engine/cli\n"
                        + "echo jvm.flags=-ea > engine/target/classes/io/weir/engine/cli/launch.properties\n"
                        + "echo PK > lib.jar\n"
                        + "printf %s \"$PWD/lib.jar\" > engine/target/launch.classpath\n");
        Files.setPosixFilePermissions(mvn, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.copy(LAUNCHER, home.resolve("weir"), StandardCopyOption.COPY_ATTRIBUTES);
        for (final String folder : List.of("transport/src/main", "storage/core/src/main", "engine/src/main")) {
            Files.createDirectories(home.resolve(folder));
        }
        for (final String folder : List.of("", "transport", "storage/core", "engine")) {
            Files.writeString(home.resolve(folder).resolve("pom.xml"), "");
        }
    }

    private long builds() throws IOException {
        return Files.readAllLines(home.resolve("builds")).size();
    }

    private String ran(final int status) throws IOException, InterruptedException {
        final ProcessBuilder builder = new ProcessBuilder(home.resolve("weir").toString()).redirectErrorStream(true);
        builder.environment()
                .putAll(Map.of(
                        "JAVA_HOME",
                        temp.toString(),
                        "PATH",
                        temp.resolve("bin") + ":" + System.getenv("PATH"),
                        "LC_ALL",
                        "C"));
        final Process process = builder.start();
        final String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertEquals(status, process.waitFor(), output);
        return output;
    }

    private Path fakeJava(final String body) throws IOException {
        final Path java = Files.createDirectory(temp.resolve("bin")).resolve("java");
        Files.writeString(java, "#!/bin/sh\n" + body + "\n");
        Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwxr-xr-x"));
        return java;
    }

    private String failure(final Map<String, String> environment) throws IOException, InterruptedException {
        final ProcessBuilder builder = new ProcessBuilder(LAUNCHER.toString(), "--version")
                .directory(temp.toFile())
                .redirectErrorStream(true);
        builder.environment().putAll(environment);
        final Process process = builder.start();
        final String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertEquals(1, process.waitFor(), output);
        return output;
    }
}
