package io.weir.engine.simulation;

import java.util.logging.Level;
import java.util.logging.Logger;

/** Keeps the engine's lines on attempts and checkpoints, of which there are thousands, out of a test's output. */
final class QuietLog {
    private final Logger logger = Logger.getLogger("io.weir.engine");
    private Level before;

    void begin() {
        before = logger.getLevel();
        logger.setLevel(Level.OFF);
    }

    void end() {
        logger.setLevel(before);
    }
}
