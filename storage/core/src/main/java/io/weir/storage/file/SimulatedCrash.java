package io.weir.storage.file;

/** The simulated machine is dead: thrown by every operation from a crash to the restart. */
public final class SimulatedCrash extends RuntimeException {
    private static final long serialVersionUID = 1L;

    SimulatedCrash(final String operation) {
        super("the simulated machine died at: " + operation);
    }
}
