package io.weir.benchmarks.commit;

import java.io.File;
import java.io.PrintStream;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What files, memory and threads come to in the course of a run: their most in its first tenth and its last; of the heap the least, which
 * is what a collection leaves. One thread.
 */
final class Growth {
    private static final int SHARE = 10;
    private static final double MIB = 1 << 20;

    private final Path folder;
    private final List<Sample> samples = new ArrayList<>();

    private record Sample(
            Files checkpoints, Files staged, Files journal, Files output, long heap, long direct, long threads) {}

    private record Files(long count, long bytes) {
        Files plus(final Files other) {
            return new Files(count + other.count, bytes + other.bytes);
        }
    }

    @FunctionalInterface
    private interface Figure {
        long of(Sample sample);
    }

    Growth(final Path folder) {
        this.folder = folder;
    }

    void sample() {
        final Path output = CommitJob.output(folder);
        final Path weir = output.resolve("weir");
        final Files staged = under(weir.resolve("staged").toFile());
        final Files all = under(weir.toFile());
        final Files withOutput = under(output.toFile());
        samples.add(new Sample(
                under(CommitJob.checkpoints(folder).toFile()),
                staged,
                new Files(all.count - staged.count, all.bytes - staged.bytes),
                new Files(withOutput.count - all.count, withOutput.bytes - all.bytes),
                ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed(),
                ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                        .filter(pool -> pool.getName().equals("direct"))
                        .mapToLong(BufferPoolMXBean::getMemoryUsed)
                        .sum(),
                ManagementFactory.getThreadMXBean().getThreadCount()));
    }

    /** Files come and go meanwhile: what is gone counts nothing. */
    private static Files under(final File file) {
        final File[] inside = file.listFiles();
        if (inside == null) {
            return new Files(file.exists() ? 1 : 0, file.length());
        }
        Files sum = new Files(0, 0);
        for (final File one : inside) {
            sum = sum.plus(under(one));
        }
        return sum;
    }

    void print(final PrintStream out) {
        out.printf("%ngrowth, %d samples%n", samples.size());
        out.printf("%-36s %14s %14s%n", "", "first tenth", "last tenth");
        most(out, "checkpoint folder, files", sample -> sample.checkpoints.count);
        most(out, "checkpoint folder, bytes", sample -> sample.checkpoints.bytes);
        most(out, "staged transactions, files", sample -> sample.staged.count);
        most(out, "staged transactions, bytes", sample -> sample.staged.bytes);
        most(out, "commit journal, bytes (up to 4 MiB)", sample -> sample.journal.bytes);
        most(out, "direct memory, bytes", Sample::direct);
        most(out, "threads", Sample::threads);
        out.printf(
                "%-36s %14.1f %14.1f%n",
                "heap after collections, MiB", least(first(), Sample::heap) / MIB, least(last(), Sample::heap) / MIB);
        most(out, "output queue, files (by design)", sample -> sample.output.count);
        most(out, "output queue, bytes (by design)", sample -> sample.output.bytes);
    }

    private void most(final PrintStream out, final String name, final Figure figure) {
        out.printf("%-36s %,14d %,14d%n", name, most(first(), figure), most(last(), figure));
    }

    private static long most(final List<Sample> some, final Figure figure) {
        return some.stream().mapToLong(figure::of).max().orElse(0);
    }

    private static long least(final List<Sample> some, final Figure figure) {
        return some.stream().mapToLong(figure::of).min().orElse(0);
    }

    private List<Sample> first() {
        return samples.subList(0, Math.min(samples.size(), samples.size() / SHARE + 1));
    }

    private List<Sample> last() {
        return samples.subList(Math.max(0, samples.size() - samples.size() / SHARE - 1), samples.size());
    }
}
