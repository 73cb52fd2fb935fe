package io.weir.engine.api;

import java.nio.file.Path;
import java.util.Objects;

/**
 * What a job begins with. Immutable; each method gives another one.
 *
 * @param path of a savepoint, or of a checkpoint that another job has retained ({@code .../chk-N}); null for the newest
 *     checkpoint of the job itself.
 * @param isClaimed whether the savepoint becomes the job's own, which deletes it.
 * @param isUnmatchedStateAllowed whether state may be left behind that no operator of the job asks for.
 * @param isInFlightDropped whether records that were in flight in an unaligned checkpoint are left behind.
 */
public record Restore(Path path, boolean isClaimed, boolean isUnmatchedStateAllowed, boolean isInFlightDropped) {
    /**
     * From the newest checkpoint of the job, if there is one, else from nothing.
     *
     * @return how every job begins unless it is told otherwise.
     */
    public static Restore newest() {
        return new Restore(null, false, false, false);
    }

    /**
     * From a savepoint. Its files are copied into the job's checkpoint folder before the job starts: it does not depend on the
     * savepoint from then on. A job that has begun so and is run again with the same words goes on from its newest checkpoint.
     *
     * @param path of the savepoint's folder, wherever it lies now.
     * @return the place to begin.
     */
    public static Restore from(final Path path) {
        return new Restore(Objects.requireNonNull(path, "path"), false, false, false);
    }

    /**
     * Makes the savepoint the job's own: its folder is deleted once the job's checkpoint folder has all of it.
     *
     * @return the same place, claimed.
     */
    public Restore claim() {
        return new Restore(Objects.requireNonNull(path, "path"), true, isUnmatchedStateAllowed, isInFlightDropped);
    }

    /**
     * Leaves behind state of operators, and states of operators, that the job does not have. Else such a job is refused.
     *
     * @return the same place, with the permission.
     */
    public Restore allowUnmatchedState() {
        return new Restore(path, isClaimed, true, isInFlightDropped);
    }

    /**
     * Leaves behind the records that were in flight, if the path is of an unaligned checkpoint: they are lost. For a pipeline that has
     * changed too much to take them. Checkpoints that the job takes itself keep theirs.
     *
     * @return the same place, without them.
     */
    public Restore dropInFlight() {
        return new Restore(Objects.requireNonNull(path, "path"), isClaimed, isUnmatchedStateAllowed, true);
    }
}
