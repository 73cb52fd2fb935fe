package io.weir.storage.page;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Entries too long for a hash page: key bytes, then value bytes, in a chain of pages that are full but for the last.
 *
 * <pre>
 *   header | payload (up to 4032 bytes)       header: next, length of the payload
 * </pre>
 *
 * Task thread.
 */
final class OverflowPages {
    /** Bytes of payload in a page. */
    static final int CAPACITY = Page.LENGTH - Page.HEADER_LENGTH;

    private final Page page = new Page();
    private final UnsafeBuffer payload = new UnsafeBuffer(0, 0);

    /** Writes a new chain; the number of its first page. */
    int add(
            final PageGroup group,
            final DirectBuffer key,
            final int keyOffset,
            final int keyLength,
            final DirectBuffer value,
            final int valueOffset,
            final int valueLength) {
        final int length = keyLength + valueLength;
        int next = Page.NO_PAGE;
        // From the last page to the first, so that each knows the one that follows.
        for (int from = (length - 1) / CAPACITY * CAPACITY; from >= 0; from -= CAPACITY) {
            final int number = group.allocate(page);
            page.init(Page.OVERFLOW);
            page.next(next);
            final int end = Math.min(length, from + CAPACITY);
            page.payloadLength(end - from);
            if (from < keyLength) {
                page.buffer().putBytes(Page.HEADER_LENGTH, key, keyOffset + from, Math.min(keyLength, end) - from);
            }
            if (end > keyLength) {
                final int begin = Math.max(keyLength, from);
                page.buffer()
                        .putBytes(
                                Page.HEADER_LENGTH + begin - from, value, valueOffset + begin - keyLength, end - begin);
            }
            next = number;
        }
        return next;
    }

    /** Gives a chain up. */
    void remove(final PageGroup group, final int first) {
        int number = first;
        while (number != Page.NO_PAGE) {
            final int next = group.readNamed(number, Page.OVERFLOW, page).next();
            group.release(number, page);
            number = next;
        }
    }

    /** Copies a part of a chain's payload. */
    void read(final PageGroup group, final int first, final int from, final UnsafeBuffer target, final int length) {
        int number = first;
        int position = 0;
        while (position < from + length) {
            group.readNamed(number, Page.OVERFLOW, page);
            final int begin = Math.max(from, position);
            final int end = Math.min(from + length, position + page.payloadLength());
            if (begin < end) {
                target.putBytes(begin - from, page.buffer(), Page.HEADER_LENGTH + begin - position, end - begin);
            }
            position += page.payloadLength();
            number = page.next();
        }
    }

    /** Whether a chain begins with a key. */
    boolean isKey(final PageGroup group, final int first, final DirectBuffer key, final int offset, final int length) {
        int number = first;
        int position = 0;
        while (position < length) {
            group.readNamed(number, Page.OVERFLOW, page);
            final int compared = Math.min(length - position, page.payloadLength());
            payload.wrap(page.buffer(), Page.HEADER_LENGTH, compared);
            if (!KeyBytes.equal(payload, 0, key, offset + position, compared)) {
                return false;
            }
            position += compared;
            number = page.next();
        }
        return true;
    }
}
