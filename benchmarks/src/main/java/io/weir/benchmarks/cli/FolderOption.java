package io.weir.benchmarks.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Where the files of a benchmark go. */
final class FolderOption {
    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Option(
            names = "--folder",
            defaultValue = "${sys:java.io.tmpdir}",
            paramLabel = "FOLDER",
            description = "For files: on the disk that is to be measured (default ${DEFAULT-VALUE}).")
    private Path folder;

    /** The folder, which is there. */
    Path folder() {
        if (!Files.isDirectory(folder)) {
            throw new ParameterException(spec.commandLine(), "--folder=" + folder + " is not a folder");
        }
        return folder;
    }
}
