package io.weir.engine.operator;

/** Something that may block and therefore runs on an I/O thread. */
@FunctionalInterface
public interface IoAction {
    /**
     * Does it.
     *
     * @throws Exception if it fails.
     */
    void run() throws Exception;
}
