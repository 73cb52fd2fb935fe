package io.weir.engine.simulation;

/** What the scheduler may do next, and how often it does in the mean. */
enum Step {
    /** One duty cycle of a worker. */
    WORK(800),
    /** One step of the job's thread. */
    JOB(220),
    /** A piece of blocking work. */
    IO(260),
    /** Records come in sight. */
    SHOW(90),
    /** Time passes. */
    TIME(120),
    /** Frames of a link are held back, let through one by one, or released. */
    DELAY(60),
    /** A link gets less room, or all. */
    ROOM(50),
    /** The user asks for a checkpoint. */
    TRIGGER(6),
    /** The user asks for a savepoint. */
    SAVEPOINT(3),
    /** The user asks for a stop, behind a last checkpoint or a savepoint. */
    STOP(2),
    /** A function of the user will fail. */
    FAIL_TASK(2),
    /** The process is killed. */
    KILL(1),
    /** The machine dies: what was not forced is lost. */
    CRASH(1),
    /** The machine, or the process only, dies at some operation on the disk. */
    DIE_ON_DISK(1),
    /** An operation on the disk fails. */
    FAIL_DISK(3),
    /** The disk gets full, or there is space again. */
    FILL_DISK(2);

    private final int weight;

    Step(final int weight) {
        this.weight = weight;
    }

    int weight() {
        return weight;
    }

    /** Whether it is part of every run: of the others, a run may leave some out. */
    boolean isUsual() {
        return compareTo(STOP) < 0;
    }
}
