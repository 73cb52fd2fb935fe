package io.weir.engine.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.engine.api.Codec;
import io.weir.engine.cli.data.DataSets;
import io.weir.engine.cli.export.LogRecords;
import io.weir.storage.chronicle.ChronicleAppender;
import io.weir.storage.chronicle.ChronicleQueueLog;
import java.io.IOException;
import java.io.StringWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.agrona.ExpandableArrayBuffer;
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

    /** A trade like the example's; its codec has the same layout. */
    public record Trade(String symbol, long timestampMs, long price, long quantity) {}

    /** A result like the example's. */
    public record Vwap(String symbol, long windowEndMs, double price) {}

    @Test
    void shouldShowAnExampleThatCompilesAndRuns() throws Exception {
        compile(Files.writeString(temp.resolve("VwapJob.java"), blocks("java").get(0)));
        final Path trades = temp.resolve("trades");
        append(
                trades,
                new Trade("A", 100, 10, 1),
                new Trade("B", 200, 7, 2),
                new Trade("A", 900, 20, 3),
                new Trade("A", 1_000, 50, 1),
                new Trade("B", 5_000, 1, 1));

        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {temp.toUri().toURL()}, getClass().getClassLoader())) {
            final String[] folders = {
                trades.toString(),
                temp.resolve("vwaps").toString(),
                temp.resolve("checkpoints").toString()
            };
            loader.loadClass("VwapJob").getMethod("main", String[].class).invoke(null, (Object) folders);
        }

        final List<Vwap> vwaps =
                LogRecords.read(ChronicleQueueLog.at(temp.resolve("vwaps")).bounded(), Codec.ofRecord(Vwap.class));
        assertEquals(
                List.of(
                        new Vwap("A", 1_000, 17.5),
                        new Vwap("B", 1_000, 7),
                        new Vwap("A", 2_000, 50),
                        new Vwap("B", 6_000, 1)),
                vwaps.stream()
                        .sorted(Comparator.comparingLong(Vwap::windowEndMs).thenComparing(Vwap::symbol))
                        .toList());
    }

    @Test
    void shouldNameTheFlagsThatTheBuildUses() {
        assertEquals(
                new LaunchProperties().jvmFlags(),
                blocks("").get(0).strip().lines().toList());
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
        final String help = Cli.run("run", "ohlc", "--help").out();
        final Matcher option = OPTION.matcher(readme());
        while (option.find()) {
            assertTrue(help.contains(option.group(1)) || option.group(1).startsWith("--add-"), option.group(1));
        }
        final Matcher link = LINK.matcher(readme());
        while (link.find()) {
            assertTrue(Files.exists(REPOSITORY.resolve(link.group(1))), link.group(1));
        }
    }

    private void compile(final Path source) throws IOException {
        final JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        final StringWriter messages = new StringWriter();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, UTF_8)) {
            final List<String> options =
                    List.of("-d", temp.toString(), "-proc:none", "-classpath", System.getProperty("java.class.path"));
            final boolean isCompiled = compiler.getTask(
                            messages, files, null, options, null, files.getJavaFileObjects(source))
                    .call();
            assertTrue(isCompiled, messages::toString);
        }
    }

    private static void append(final Path queue, final Trade... trades) {
        final Codec<Trade> codec = Codec.ofRecord(Trade.class);
        final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer();
        try (ChronicleAppender appender = ChronicleAppender.open(queue)) {
            Stream.of(trades).forEach(trade -> appender.append(buffer, 0, codec.encode(trade, buffer, 0)));
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
