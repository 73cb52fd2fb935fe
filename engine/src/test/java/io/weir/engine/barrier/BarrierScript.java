package io.weir.engine.barrier;

import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Plays a line of events into a handler and writes down what came of each, so that a case is one line that is compared
 * as a whole. Events: {@code d0} record on channel 0, {@code B5@1} barrier of checkpoint 5 on channel 1, {@code X5@1}
 * cancellation, {@code ann5@1} announcement, {@code E1} end of data, {@code A5} abort by the coordinator, {@code T5}
 * trigger by the coordinator. Actions follow their event behind a colon: {@code block1}, {@code unblock1}, {@code snap5},
 * {@code abort5(subsumed)}, {@code cancel5}. An event without a colon asked for nothing.
 */
final class BarrierScript {
    private static final Pattern EVENT = Pattern.compile("(d|B|X|ann|E|A|T)(\\d+)(?:@(\\d+))?");

    private final AlignedBarrierHandler handler;
    private long nowNs;

    BarrierScript(AlignedBarrierHandler handler) {
        this.handler = handler;
    }

    String play(String line) {
        StringJoiner played = new StringJoiner(" ");
        for (String token : line.trim().split("\\s+")) {
            String event = token.split(":", 2)[0];
            List<BarrierAction> actions = play(EVENT.matcher(event));
            played.add(actions.isEmpty() ? event : event + ":" + render(actions));
        }
        return played.toString();
    }

    static String render(List<BarrierAction> actions) {
        StringJoiner rendered = new StringJoiner(",");
        for (BarrierAction action : actions) {
            rendered.add(render(action));
        }
        return rendered.toString();
    }

    private List<BarrierAction> play(Matcher event) {
        if (!event.matches()) {
            throw new IllegalArgumentException("no such event: " + event);
        }
        nowNs++;
        int number = Integer.parseInt(event.group(2));
        int channel = event.group(3) == null ? number : Integer.parseInt(event.group(3));
        return switch (event.group(1)) {
            case "d" -> readRecord(channel);
            case "B" -> handler.onBarrier(channel, number, 0, 0, nowNs);
            case "X" -> handler.onCancellation(channel, number, nowNs);
            case "ann" -> handler.onAnnouncement(channel, number, 0, 0, 64, nowNs);
            case "E" -> handler.onEndOfData(channel, nowNs);
            case "A" -> handler.onAbort(number);
            default -> handler.onTrigger(number, 0, 0, nowNs);
        };
    }

    private List<BarrierAction> readRecord(int channel) {
        if (handler.isBlocked(channel)) {
            throw new AssertionError("the case reads a record from channel " + channel + ", which is blocked");
        }
        return List.of();
    }

    private static String render(BarrierAction action) {
        if (action instanceof BarrierAction.Block block) {
            return "block" + block.channelIndex();
        } else if (action instanceof BarrierAction.Unblock unblock) {
            return "unblock" + unblock.channelIndex();
        } else if (action instanceof BarrierAction.Snapshot snapshot) {
            return "snap" + snapshot.checkpointId();
        } else if (action instanceof BarrierAction.Abort abort) {
            return "abort" + abort.checkpointId() + "(" + abort.reason().name().toLowerCase(Locale.ROOT) + ")";
        } else if (action instanceof BarrierAction.ForwardCancellation cancellation) {
            return "cancel" + cancellation.checkpointId();
        }
        throw new AssertionError("no notation for " + action);
    }
}
