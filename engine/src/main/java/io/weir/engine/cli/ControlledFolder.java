package io.weir.engine.cli;

import io.weir.engine.control.ControlException;
import io.weir.engine.control.JobClient;
import io.weir.engine.control.JobControl;
import java.nio.file.Path;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The folder of a job that runs in another process. */
final class ControlledFolder {
    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Parameters(paramLabel = "JOBFOLDER", description = "The --output folder of the weir run that runs the job.")
    private Path folder;

    /** Asks the job. A folder that can't be one is wrong usage. */
    JobClient client() {
        try {
            return JobControl.connect(folder);
        } catch (final ControlException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }
}
