package io.weir.engine.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.engine.cli.data.DataSets;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.StringWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the README shows is true. */
class ReadmeTest {
    private static final Path REPOSITORY = DataSets.repository();
    private static final Pattern BLOCK = Pattern.compile("```(\\w*)\n(.*?)```", Pattern.DOTALL);
    private static final Pattern LINK = Pattern.compile("\\]\\(([^):]+)\\)");
    private static final Pattern OPTION = Pattern.compile("`(--[a-z-]+)[ `|]");

    @TempDir
    private Path temp;

    @Test
    void shouldShowAnExampleThatCompilesAndRuns() throws Exception {
        final List<String> names = List.of("VolumeJob", "WriteTrades", "ReadVolumes");
        final List<Path> sources = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            sources.add(Files.writeString(
                    temp.resolve(names.get(i) + ".java"), blocks("java").get(i)));
        }
        compile(sources);
        final Path trades = temp.resolve("trades");
        final Path volumes = temp.resolve("volumes");

        final ByteArrayOutputStream printed = new ByteArrayOutputStream();
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {temp.toUri().toURL()}, getClass().getClassLoader())) {
            main(loader, "WriteTrades", trades);
            main(loader, "VolumeJob", trades, volumes, temp.resolve("checkpoints"));
            final PrintStream out = System.out;
            System.setOut(new PrintStream(printed, true, UTF_8));
            try {
                main(loader, "ReadVolumes", volumes);
            } finally {
                System.setOut(out);
            }
        }

        assertEquals(
                expectedVolumes(),
                printed.toString(UTF_8).lines().sorted().toList(),
                "what the third program prints of the second one's work on the first one's trades");
    }

    /** The sums of the quantities {@code 1 + i % 3} over the even and the odd {@code i} of each thousand. */
    private static List<String> expectedVolumes() {
        final List<String> lines = new ArrayList<>();
        for (int second = 0; second < 3; second++) {
            for (int symbol = 0; symbol < 2; symbol++) {
                long sum = 0;
                for (long i = second * 1_000L + symbol; i < (second + 1) * 1_000L; i += 2) {
                    sum += 1 + i % 3;
                }
                lines.add("Volume[symbol=" + (symbol == 0 ? "BTC" : "ETH") + ", windowEndMs=" + (second + 1) * 1_000
                        + ", quantity=" + sum + "]");
            }
        }
        lines.sort(null);
        return lines;
    }

    @Test
    void shouldShowAServiceThatCompiles() throws Exception {
        final String run = "weir.run(pipeline).join();\n";
        final String job = blocks("java").get(0);
        assertTrue(job.contains(run) && job.contains(".bounded()"), job);
        final String service = job.replace(run, blocks("java").get(3))
                .replace(".bounded()", "")
                .replace("import io.weir.engine.Weir;", "import io.weir.engine.*;");

        compile(List.of(Files.writeString(temp.resolve("VolumeJob.java"), service)));
    }

    @Test
    void shouldNameTheFlagsThatTheBuildUses() {
        assertEquals(
                new LaunchProperties().jvmFlags(null),
                blocks("").get(0).strip().lines().toList());
    }

    @Test
    void shouldNameTheVersionsToDependOn() throws ClassNotFoundException {
        final String dependencies = blocks("xml").get(0);
        final String version = new LaunchProperties().getVersion()[0].replace("weir ", "");
        final String slf4j = Class.forName("org.slf4j.Logger")
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .getPath();

        assertEquals(List.of(version, version), versionsOf(dependencies, "weir-[a-z-]+"));
        // A provider goes with an API of the same first two numbers.
        assertEquals(
                List.of(slf4j.replaceFirst(".*/slf4j-api-(\\d+\\.\\d+)\\..*", "$1")),
                versionsOf(dependencies, "slf4j-nop").stream()
                        .map(found -> found.replaceFirst("\\.\\d+$", ""))
                        .toList());
    }

    @Test
    void shouldNameTheCommandsThatTheTestsOfAChangeRun() throws IOException {
        final String ci = Files.readString(REPOSITORY.resolve(".ci/run"));

        assertEquals("./weir demo", blocks("sh").get(0).strip());
        assertEquals("mvn -B -ntp verify", blocks("sh").get(1).strip());
        assertTrue(ci.contains("\n./weir demo\n") && ci.contains("\nmvn -B -ntp verify\n"), ci);
    }

    @Test
    void shouldShowACommandThatWorks() {
        final String[] words = blocks("sh")
                .get(2)
                .strip()
                .replace(
                        "data/bitstamp-trades",
                        REPOSITORY.resolve("data/bitstamp-trades").toString())
                .replace("/tmp/ohlc", temp.resolve("ohlc").toString())
                .split(" ");
        assertEquals("./weir", words[0]);

        Cli.run(List.of(words).subList(1, words.length).toArray()).succeeded();

        assertEquals(
                DataSets.lines("bitstamp-trades/expected/disordered_dedup_on_time_tumbling_60s_bound_5s.csv"),
                DataSets.lines(temp.resolve("ohlc.csv")));
    }

    @Test
    void shouldNameOptionsAndFilesThatExist() throws IOException {
        final String help = Cli.run("run", "ohlc", "--help").out()
                + Cli.run("inspect", "--help").out()
                + Cli.run("checkpoints", "verify", "--help").out()
                + Cli.run("checkpoints", "delete-orphans", "--help").out()
                + Cli.run("savepoint", "--help").out()
                + Cli.run("stop", "--help").out()
                + Cli.run("simulate", "--help").out();
        final Matcher option = OPTION.matcher(readme());
        while (option.find()) {
            assertTrue(help.contains(option.group(1)) || option.group(1).startsWith("--add-"), option.group(1));
        }
        final Matcher link = LINK.matcher(readme());
        while (link.find()) {
            assertTrue(Files.exists(REPOSITORY.resolve(link.group(1))), link.group(1));
        }
    }

    private static List<String> versionsOf(final String dependencies, final String artifact) {
        return Pattern.compile("<artifactId>" + artifact + "</artifactId>\\s*<version>(.*)</version>")
                .matcher(dependencies)
                .results()
                .map(result -> result.group(1))
                .toList();
    }

    private static void main(final ClassLoader loader, final String name, final Path... folders) throws Exception {
        final String[] args = Stream.of(folders).map(Path::toString).toArray(String[]::new);
        loader.loadClass(name).getMethod("main", String[].class).invoke(null, (Object) args);
    }

    private void compile(final List<Path> sources) throws IOException {
        final JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        final StringWriter messages = new StringWriter();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, UTF_8)) {
            final List<String> options =
                    List.of("-d", temp.toString(), "-proc:none", "-classpath", System.getProperty("java.class.path"));
            final boolean isCompiled = compiler.getTask(
                            messages, files, null, options, null, files.getJavaFileObjectsFromPaths(sources))
                    .call();
            assertTrue(isCompiled, messages::toString);
        }
    }

    private static List<String> blocks(final String language) {
        final List<String> blocks = new ArrayList<>();
        final Matcher matcher = BLOCK.matcher(readme());
        while (matcher.find()) {
            if (matcher.group(1).equals(language)) {
                blocks.add(matcher.group(2));
            }
        }
        return blocks;
    }

    private static String readme() {
        return String.join("\n", DataSets.lines(REPOSITORY.resolve("README.md")));
    }
}
