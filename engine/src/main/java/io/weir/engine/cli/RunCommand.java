package io.weir.engine.cli;

import io.weir.engine.cli.job.JobKind;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code weir run}: the jobs on a user's own file. */
@Command(
        name = "run",
        description = "Runs a job on a CSV file: killed or stopped, the same command goes on where it was.",
        synopsisSubcommandLabel = "JOB")
final class RunCommand {
    @Spec
    private CommandSpec spec;

    @Command(
            name = "ohlc",
            description = {
                "Open, high, low, close, volume, notional and VWAP of ticks in tumbling windows.",
                "Columns are found by name: source, arrival, key, event_ns, price and qty; sub may be there. A source has one"
                        + " watermark; windows are per source and key."
            })
    int ohlc(@Mixin final RunOptions options) {
        return new JobCommand<>(JobKind.OHLC, options, spec.commandLine().getOut()).call();
    }

    @Command(
            name = "stats",
            description = {
                "Count, min, max, sum, mean, first and last of metrics in tumbling windows.",
                "Columns are found by name: source, arrival, key, event_ns and value; sub may be there. A source has one"
                        + " watermark; windows are per source and key."
            })
    int stats(@Mixin final RunOptions options) {
        return new JobCommand<>(JobKind.STATS, options, spec.commandLine().getOut()).call();
    }
}
