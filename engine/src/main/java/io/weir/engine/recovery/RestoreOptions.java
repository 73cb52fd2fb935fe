package io.weir.engine.recovery;

/**
 * What a restore may leave behind.
 *
 * @param allowUnmatched whether state of operators that the job does not have any more, and state that an operator does not ask for
 *     any more, may be left behind.
 * @param dropInFlight whether records that were in flight at the cut, which an unaligned checkpoint holds, are dropped: they are
 *     lost.
 */
public record RestoreOptions(boolean allowUnmatched, boolean dropInFlight) {
    /** Nothing is left behind. */
    public static final RestoreOptions STRICT = new RestoreOptions(false, false);
}
