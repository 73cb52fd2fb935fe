package io.weir.engine.coordinator;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Plays a line of events into a coordinator and writes down what came of each, so that a case is one line that is
 * compared as a whole. Tasks and settings are given as {@code 3 0>1 1>2} (three tasks, two channels) and {@code
 * interval=10 retain=2}, times in milliseconds.
 *
 * <p>Events: {@code +10} time passes, {@code run}, {@code tick}, {@code req} manual request, {@code ack1/2} task 2
 * acknowledges checkpoint 1, {@code oldack1/2} in the attempt before, {@code dec1/2} or {@code dec1/2(subsumed)} declines,
 * {@code fin2} finished, {@code await2} waits for its final checkpoint, {@code stored1}, {@code storefail1}, {@code
 * storeunknown1}, {@code stop}, {@code restart}, {@code shutdown}, {@code nop} periodic off, {@code per} periodic on.
 *
 * <p>Actions follow their event behind a colon: {@code trig1/2}, {@code store1}, {@code complete1}, {@code
 * abort2(expired,1)} with the latest completed id or {@code -}, {@code discard2}, {@code late2/0}, {@code drop1}, {@code
 * failjob2(expired)}, {@code stop3}, {@code stopfailed(expired)}. An event without a colon asked for nothing.
 */
final class CoordinatorScript {
    private static final Pattern EVENT = Pattern.compile("([a-z]+|\\+)(\\d+)?(?:/(\\d+))?(?:\\((\\w+)\\))?");
    private static final long MS = 1_000_000;
    private static final long EPOCH_NS = 1_700_000_000_000_000_000L;

    private final CheckpointCoordinator coordinator;
    private long nowNs = EPOCH_NS;
    private int attempt = 3;

    CoordinatorScript(String tasks, String settings) {
        coordinator = new CheckpointCoordinator(settings(settings), topology(tasks), CheckpointHistory.none(), attempt);
    }

    CheckpointCoordinator coordinator() {
        return coordinator;
    }

    String play(String line) {
        StringJoiner played = new StringJoiner(" ");
        for (String token : line.trim().split("\\s+")) {
            String event = token.split(":", 2)[0];
            List<CoordinatorAction> actions = play(EVENT.matcher(event));
            played.add(actions.isEmpty() ? event : event + ":" + render(actions));
        }
        return played.toString();
    }

    /** The next deadline, in milliseconds from now; {@code never} if there is none. */
    String nextDeadline() {
        long deadlineNs = coordinator.nextDeadlineNs();
        return deadlineNs == Long.MAX_VALUE ? "never" : Long.toString((deadlineNs - nowNs) / MS);
    }

    static TaskTopology topology(String tasks) {
        String[] parts = tasks.trim().split("\\s+");
        List<TaskTopology.Channel> channels = new ArrayList<>();
        for (int i = 1; i < parts.length; i++) {
            String[] ends = parts[i].split(">");
            channels.add(new TaskTopology.Channel(Integer.parseInt(ends[0]), Integer.parseInt(ends[1])));
        }
        return new TaskTopology(Integer.parseInt(parts[0]), channels);
    }

    private static CheckpointSettings settings(String settings) {
        return new CheckpointSettings(
                value(settings, "interval", 0) * MS,
                value(settings, "timeout", 1_000_000) * MS,
                value(settings, "pause", 0) * MS,
                (int) value(settings, "concurrent", 1),
                (int) value(settings, "tolerable", 0),
                (int) value(settings, "retain", 1));
    }

    private static long value(String settings, String name, long otherwise) {
        Matcher matcher = Pattern.compile("\\b" + name + "=(\\d+)").matcher(settings);
        return matcher.find() ? Long.parseLong(matcher.group(1)) : otherwise;
    }

    private List<CoordinatorAction> play(Matcher event) {
        if (!event.matches()) {
            throw new IllegalArgumentException("no such event: " + event);
        }
        long number = event.group(2) == null ? 0 : Long.parseLong(event.group(2));
        int task = event.group(3) == null ? (int) number : Integer.parseInt(event.group(3));
        return switch (event.group(1)) {
            case "+" -> passTime(number * MS);
            case "run" -> coordinator.onRunning(nowNs);
            case "tick" -> coordinator.onTick(nowNs);
            case "req" -> coordinator.onTriggerRequested(nowNs);
            case "ack" -> coordinator.onAcknowledge(task, attempt, number, nowNs);
            case "oldack" -> coordinator.onAcknowledge(task, attempt - 1, number, nowNs);
            case "dec" -> coordinator.onDecline(task, attempt, number, reason(event.group(4)), nowNs);
            case "fin" -> coordinator.onTaskFinished(task, attempt, nowNs);
            case "await" -> coordinator.onTaskAwaitsFinalCheckpoint(task, attempt, nowNs);
            case "stored" -> coordinator.onStored(number, nowNs);
            case "storefail" -> coordinator.onStoreFailed(number, CheckpointFailureReason.STORE_FAILED, nowNs);
            case "storeunknown" ->
                coordinator.onStoreFailed(number, CheckpointFailureReason.STORE_OUTCOME_UNKNOWN, nowNs);
            case "stop" -> coordinator.onStopRequested(nowNs);
            case "restart" -> coordinator.onRestarted(++attempt, nowNs);
            case "shutdown" -> coordinator.onShutdown();
            case "nop" -> coordinator.onPeriodicStopped(nowNs);
            case "per" -> coordinator.onPeriodicStarted(nowNs);
            default -> throw new IllegalArgumentException("no such event: " + event.group());
        };
    }

    private List<CoordinatorAction> passTime(long spanNs) {
        nowNs += spanNs;
        return List.of();
    }

    private static CheckpointFailureReason reason(String name) {
        return name == null
                ? CheckpointFailureReason.SNAPSHOT_FAILED
                : CheckpointFailureReason.valueOf(name.toUpperCase(Locale.ROOT));
    }

    private String render(List<CoordinatorAction> actions) {
        StringJoiner rendered = new StringJoiner(",");
        for (CoordinatorAction action : actions) {
            rendered.add(render(action));
        }
        return rendered.toString();
    }

    private String render(CoordinatorAction action) {
        if (action instanceof CoordinatorAction.TriggerTask trigger) {
            return "trig" + trigger.checkpointId() + "/" + trigger.task();
        } else if (action instanceof CoordinatorAction.Store store) {
            return "store" + store.checkpointId();
        } else if (action instanceof CoordinatorAction.Complete complete) {
            return "complete" + complete.checkpointId();
        } else if (action instanceof CoordinatorAction.AbortCheckpoint abort) {
            return "abort" + abort.checkpointId() + "(" + name(abort.reason()) + "," + id(abort.latestCompletedId())
                    + ")";
        } else if (action instanceof CoordinatorAction.Discard discard) {
            return "discard" + discard.checkpointId();
        } else if (action instanceof CoordinatorAction.DiscardLate late) {
            return "late" + late.checkpointId() + "/" + late.task();
        } else if (action instanceof CoordinatorAction.Drop drop) {
            return "drop" + drop.checkpointId();
        } else if (action instanceof CoordinatorAction.FailJob fail) {
            return "failjob" + fail.checkpointId() + "(" + name(fail.reason()) + ")";
        } else if (action instanceof CoordinatorAction.Stop stop) {
            return "stop" + id(stop.checkpointId());
        } else if (action instanceof CoordinatorAction.StopFailed failed) {
            return "stopfailed(" + name(failed.reason()) + ")";
        }
        throw new AssertionError("no notation for " + action);
    }

    private static String id(long checkpointId) {
        return checkpointId == CheckpointHistory.NO_CHECKPOINT ? "-" : Long.toString(checkpointId);
    }

    private static String name(CheckpointFailureReason reason) {
        return reason.name().toLowerCase(Locale.ROOT);
    }
}
