package io.weir.engine.cli.job;

import java.util.regex.Pattern;

/**
 * Where a record stands among those of its window: by event time, then id if there is one, then arrival. So what a window
 * opens and closes with does not depend on the order in which its records came.
 *
 * @param eventNs event time.
 * @param id of the record, empty for none; numbers are ordered as numbers and before other text.
 * @param arrival index of the record's message.
 * @param sub index in its message.
 */
record Place(long eventNs, String id, long arrival, long sub) implements Comparable<Place> {
    private static final Pattern NUMBER = Pattern.compile("-?[0-9]{1,40}(\\.[0-9]{1,40})?");
    private static final int LONG_DIGITS = 18;

    static Place of(final Row row) {
        return new Place(row.eventNs(), row.id(), row.arrival(), row.sub());
    }

    @Override
    public int compareTo(final Place other) {
        int order = Long.compare(eventNs, other.eventNs);
        if (order == 0) {
            order = compareIds(id, other.id);
        }
        if (order == 0) {
            order = Long.compare(arrival, other.arrival);
        }
        return order == 0 ? Long.compare(sub, other.sub) : order;
    }

    static int compareIds(final String left, final String right) {
        if (left.equals(right)) {
            return 0;
        }
        if (isShortCount(left) && isShortCount(right)) {
            final int order = Long.compare(Long.parseLong(left), Long.parseLong(right));
            return order == 0 ? left.compareTo(right) : order;
        }
        final boolean leftNumber = NUMBER.matcher(left).matches();
        final boolean rightNumber = NUMBER.matcher(right).matches();
        if (leftNumber && rightNumber) {
            final int order = Decimals.parse(left).compareTo(Decimals.parse(right));
            return order == 0 ? left.compareTo(right) : order;
        }
        if (leftNumber != rightNumber) {
            return leftNumber ? -1 : 1;
        }
        return left.compareTo(right);
    }

    private static boolean isShortCount(final String text) {
        if (text.isEmpty() || text.length() > LONG_DIGITS) {
            return false;
        }
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) < '0' || text.charAt(i) > '9') {
                return false;
            }
        }
        return true;
    }
}
