package io.weir.engine.cli.process;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.engine.cli.data.DataSets;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the launcher says before it builds or runs anything. */
class LauncherTest {
    private static final Path LAUNCHER = DataSets.repository().resolve("weir");

    @TempDir
    private Path temp;

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
