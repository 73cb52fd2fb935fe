package io.weir.engine.coordinator;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
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
 * <p>Events: {@code +10} time passes, {@code run}, {@code tick}, {@code req} manual request, {@code req7} one with a number for
 * its answer, {@code sp7} request for a savepoint, {@code prep1} and {@code unprep1} for its place, {@code ack1/2} task 2
 * acknowledges checkpoint 1, {@code oldack1/2} in the attempt before, {@code dec1/2} or {@code dec1/2(subsumed)} declines,
 * {@code fin2} finished, {@code await2} waits for its final checkpoint, {@code stored1}, {@code storefail1}, {@code
 * storeunknown1}, {@code stop}, {@code stopsp7} with a savepoint, {@code drain7} and {@code drainsp7} with the sources' end,
 * {@code restart}, {@code restart1} of task 1 alone, {@code shutdown}, {@code cancel}, {@code nop} periodic off, {@code per}
 * periodic on, {@code caught1} source 1 has caught up, {@code deleted}: what was to be deleted is, which is told before the next event
 * unless the settings say {@code slowdelete=1}.
 *
 * <p>Actions follow their event behind a colon: {@code trig1/2}, {@code store1}, {@code complete1}, {@code
 * abort2(expired,1)} with the latest completed id or {@code -}, {@code discard2}, {@code late2/0}, {@code drop1}, {@code
 * failjob2(expired)}, {@code stop3}, {@code stopfailed(expired)}, {@code prepare1}, {@code endsources}, {@code done7=1} and {@code
 * failed7(expired)} for the answers to requests. An event without a colon asked for nothing.
 */
final class CoordinatorScript {
    private static final Pattern EVENT = Pattern.compile("([a-z]+|\\+)(\\d+)?(?:/(\\d+))?(?:\\((\\w+)\\))?");
    private static final long MS = 1_000_000;
    private static final long EPOCH_NS = 1_700_000_000_000_000_000L;

    private final CheckpointCoordinator coordinator;
    private long nowNs = EPOCH_NS;
    private final int[] attempts;
    private final boolean deletesAtOnce;
    private int deletions;

    CoordinatorScript(String tasks, String settings) {
        TaskTopology topology = topology(tasks);
        coordinator = new CheckpointCoordinator(settings(settings), topology, CheckpointHistory.none(), 3);
        attempts = new int[topology.taskCount()];
        Arrays.fill(attempts, 3);
        deletesAtOnce = value(settings, "slowdelete", 0) == 0;
    }

    CheckpointCoordinator coordinator() {
        return coordinator;
    }

    String play(String line) {
        StringJoiner played = new StringJoiner(" ");
        for (String token : line.trim().split("\\s+")) {
            String event = token.split(":", 2)[0];
            List<CoordinatorAction> actions = new ArrayList<>();
            for (; deletions > 0 && coordinator.state() != CoordinatorState.SHUT_DOWN; deletions--) {
                actions.addAll(coordinator.onDeleted(nowNs));
            }
            actions.addAll(play(EVENT.matcher(event)));
            deletions = deletesAtOnce ? countDeletions(actions) : 0;
            played.add(actions.isEmpty() ? event : event + ":" + render(actions));
        }
        return played.toString();
    }

    private static int countDeletions(List<CoordinatorAction> actions) {
        return (int) actions.stream()
                .filter(each -> each instanceof CoordinatorAction.Discard
                        || each instanceof CoordinatorAction.DiscardLate
                        || each instanceof CoordinatorAction.Drop)
                .count();
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
        long intervalNs = value(settings, "interval", 0) * MS;
        return new CheckpointSettings(
                intervalNs,
                value(settings, "timeout", 1_000_000) * MS,
                value(settings, "pause", 0) * MS,
                (int) value(settings, "concurrent", 1),
                (int) value(settings, "tolerable", 0),
                (int) value(settings, "retain", 1),
                value(settings, "backlog", intervalNs / MS) * MS,
                value(settings, "unaligned", 0) == 1,
                value(settings, "dropatcancel", 0) == 0);
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
            case "req" -> coordinator.onTriggerRequested(number, nowNs);
            case "sp" -> coordinator.onSavepointRequested(number, nowNs);
            case "prep" -> coordinator.onSavepointPrepared(number, nowNs);
            case "unprep" -> coordinator.onSavepointUnprepared(number, nowNs);
            case "caught" -> coordinator.onCaughtUp(task, attempt(task), nowNs);
            case "deleted" -> coordinator.onDeleted(nowNs);
            case "ack" -> coordinator.onAcknowledge(task, attempt(task), number, nowNs);
            case "oldack" -> coordinator.onAcknowledge(task, attempt(task) - 1, number, nowNs);
            case "dec" -> coordinator.onDecline(task, attempt(task), number, reason(event.group(4)), nowNs);
            case "fin" -> coordinator.onTaskFinished(task, attempt(task), nowNs);
            case "await" -> coordinator.onTaskAwaitsFinalCheckpoint(task, attempt(task), nowNs);
            case "stored" -> coordinator.onStored(number, nowNs);
            case "storefail" -> coordinator.onStoreFailed(number, CheckpointFailureReason.STORE_FAILED, nowNs);
            case "storeunknown" ->
                coordinator.onStoreFailed(number, CheckpointFailureReason.STORE_OUTCOME_UNKNOWN, nowNs);
            case "stop" -> coordinator.onStopRequested(StopKind.SUSPEND, number, nowNs);
            case "stopsp" -> coordinator.onStopRequested(StopKind.SUSPEND_WITH_SAVEPOINT, number, nowNs);
            case "drain" -> coordinator.onStopRequested(StopKind.DRAIN, number, nowNs);
            case "drainsp" -> coordinator.onStopRequested(StopKind.DRAIN_WITH_SAVEPOINT, number, nowNs);
            case "restart" -> restart(event.group(2) == null ? -1 : task);
            case "shutdown" -> coordinator.onShutdown();
            case "cancel" -> coordinator.onCancelled();
            case "nop" -> coordinator.onPeriodicStopped(nowNs);
            case "per" -> coordinator.onPeriodicStarted(nowNs);
            default -> throw new IllegalArgumentException("no such event: " + event.group());
        };
    }

    private int attempt(int task) {
        return task < attempts.length ? attempts[task] : attempts[0];
    }

    private List<CoordinatorAction> restart(int onlyTask) {
        BitSet restarted = new BitSet();
        restarted.set(Math.max(0, onlyTask), onlyTask < 0 ? attempts.length : onlyTask + 1);
        int newAttempt = Arrays.stream(attempts).max().orElseThrow() + 1;
        restarted.stream().forEach(task -> attempts[task] = newAttempt);
        return coordinator.onRestarted(restarted, newAttempt, nowNs);
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
        } else if (action instanceof CoordinatorAction.PrepareSavepoint prepare) {
            return "prepare" + prepare.checkpointId();
        } else if (action instanceof CoordinatorAction.EndSources) {
            return "endsources";
        } else if (action instanceof CoordinatorAction.RequestDone done) {
            return "done" + done.requestId() + "=" + done.checkpointId();
        } else if (action instanceof CoordinatorAction.RequestFailed failed) {
            return "failed" + failed.requestId() + "(" + name(failed.reason()) + ")";
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
