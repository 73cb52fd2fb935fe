package io.weir.engine.worker;

import io.weir.engine.task.TaskException;
import io.weir.engine.task.TaskId;
import java.time.Duration;
import java.util.List;

/** Where a thread is that does not come back. */
final class Whereabouts {
    /** Rooms whose files and mappings an interrupt could close for others. */
    private static final List<String> OURS =
            List.of("io.weir.storage.", "io.weir.transport.", "net.openhft.", "io.aeron.", "org.agrona.");

    private static final List<String> JDK = List.of("java.", "javax.", "jdk.", "sun.", "com.sun.");

    private final String thread;
    private final StackTraceElement[] stack;

    Whereabouts(final Thread thread) {
        this(thread.getName(), thread.getStackTrace());
    }

    Whereabouts(final String thread, final StackTraceElement[] stack) {
        this.thread = thread;
        this.stack = stack;
    }

    /** Whether the innermost code that is not the JDK's is neither storage's nor the transport's. */
    boolean isUserCode() {
        final StackTraceElement place = place();
        return place != null && OURS.stream().noneMatch(place.getClassName()::startsWith);
    }

    /** For a job that may start again. */
    TaskException stuck(final TaskId task, final long forNs) {
        return new TaskException(
                "task " + task.display() + " has not returned for " + seconds(forNs) + "; it is at " + describe(),
                cause());
    }

    /** For a job that has to end, since part of it goes on running. */
    TaskException givenUp(final TaskId task, final long forNs) {
        return TaskException.permanent(
                "task " + task.display() + " has not returned for " + seconds(forNs)
                        + ", so its thread was given up; it is at " + describe(),
                cause());
    }

    /** The innermost call, and the innermost one that is not the JDK's. */
    String describe() {
        if (stack.length == 0) {
            return "nowhere: thread " + thread + " has ended";
        }
        final StackTraceElement place = place();
        return place == null || place.equals(stack[0])
                ? print(stack[0])
                : print(stack[0]) + ", called at " + print(place);
    }

    /** Without modules and class loaders. */
    private static String print(final StackTraceElement frame) {
        final String line = frame.getLineNumber() < 0 ? "" : ":" + frame.getLineNumber();
        final String file = frame.getFileName() == null ? "unknown source" : frame.getFileName() + line;
        return frame.getClassName() + '.' + frame.getMethodName() + '(' + file + ')';
    }

    private StackTraceElement place() {
        for (final StackTraceElement each : stack) {
            if (JDK.stream().noneMatch(each.getClassName()::startsWith)) {
                return each;
            }
        }
        return null;
    }

    private Throwable cause() {
        final Throwable cause = new IllegalStateException("thread " + thread + " is here");
        cause.setStackTrace(stack);
        return cause;
    }

    private static String seconds(final long ns) {
        return Duration.ofNanos(ns).toMillis() / 1000.0 + " s";
    }
}
