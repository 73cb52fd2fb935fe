package io.weir.storage.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.storage.frame.SlabSource;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Steps of the task thread (write, freeze, housekeeping) and of the flusher (list the frames, read one frame, say it is
 * durable, or fail, or close without writing) in all orders that a script of each allows. What a flush has read is what the pages
 * held at the freeze.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class HandshakeInterleavingsTest {
    private static final int SCRIPTS = Integer.getInteger("weir.test.scripts", 24);
    private static final int CHOICES = 12;
    private static final int WRITER_STEPS = 9;
    private static final int PAGES = 3;
    private static final int LINES = 2;
    private static final long SEED = 91_001;
    private static final TableName TABLE = new TableName("value/uid/table", "");

    /** One piece of memory for all runs. */
    private final ByteBuffer memory =
            ByteBuffer.allocateDirect(17 * Page.LENGTH).alignedSlice(Page.LENGTH);

    private long flushed;
    private long abandoned;

    @Test
    void shouldFlushWhatPagesHeldAtTheFreeze() {
        for (int script = 0; script < SCRIPTS; script++) {
            for (int choices = 0; choices < 1 << CHOICES; choices++) {
                try {
                    new Run(SEED + script, choices).run();
                } catch (final RuntimeException | AssertionError e) {
                    throw new AssertionError("script " + (SEED + script) + ", choices " + choices + ": " + e, e);
                }
            }
        }
        assertTrue(flushed > (long) SCRIPTS << CHOICES, flushed + " flushes");
        assertTrue(abandoned > (long) SCRIPTS << (CHOICES - 1), abandoned + " abandoned");
    }

    private SlabSource slabs() {
        return new SlabSource() {
            private boolean taken;

            @Override
            public int maxLength() {
                return 16 * Page.LENGTH;
            }

            @Override
            public UnsafeBuffer allocate(final int length) {
                assertTrue(!taken && length <= 16 * Page.LENGTH, "frames leak");
                taken = true;
                return new UnsafeBuffer(memory, 0, length);
            }

            @Override
            public void close() {}
        };
    }

    /** One order of one pair of scripts. */
    private final class Run {
        private final Random random;
        private int choices;
        private final PageStore store = new PageStore(slabs(), 0);
        private final PageGroup group = new TablePages(store, TABLE, 0, 1, null).open(0);
        private final Page view = new Page();
        private final long[][] live = new long[PAGES][LINES];
        private final long[][] disk = new long[PAGES][LINES];
        private final ArrayDeque<Cut> cuts = new ArrayDeque<>();
        private int writerSteps;
        private long nextValue = 1;

        private Run(final long seed, final int choices) {
            random = new Random(seed);
            this.choices = choices;
            for (int number = 0; number < PAGES; number++) {
                group.allocate(view);
                view.init(Page.OVERFLOW);
                for (int line = 1; line <= LINES; line++) {
                    view.buffer().putLong(line * Page.LINE_LENGTH, 0);
                }
            }
        }

        private void run() {
            for (int i = 0; i < CHOICES || writerSteps < WRITER_STEPS; i++) {
                final boolean isFlusher = (choices & 1) != 0;
                choices >>>= 1;
                if (isFlusher && !cuts.isEmpty()) {
                    flusherStep();
                } else if (writerSteps < WRITER_STEPS) {
                    writerStep();
                }
            }
            while (!cuts.isEmpty()) {
                flusherStep();
            }
            freeze(Fate.WRITTEN);
            while (!cuts.isEmpty()) {
                flusherStep();
            }
            assertEquals(Arrays.deepToString(live), Arrays.deepToString(disk));
            while (store.doWork() > 0) {}
            assertEquals(0, store.snapshotsInFlight());
            assertEquals(PAGES, store.slabs().used(), "frames in use");
            store.close();
        }

        private void writerStep() {
            writerSteps++;
            final int dice = random.nextInt(10);
            if (dice < 5) {
                write(random.nextInt(PAGES), 1 + random.nextInt(LINES));
            } else if (dice < 9) {
                final int fate = random.nextInt(4);
                freeze(fate < 2 ? Fate.WRITTEN : fate == 2 ? Fate.FAILED : Fate.CLOSED);
            } else {
                store.doWork();
            }
        }

        private void write(final int number, final int line) {
            group.read(number, view);
            group.write(number, view);
            view.buffer().putLong(line * Page.LINE_LENGTH, nextValue);
            view.mark(line * Page.LINE_LENGTH, Long.BYTES);
            live[number][line - 1] = nextValue++;
        }

        private void freeze(final Fate fate) {
            final long[][] atFreeze = new long[PAGES][];
            for (int number = 0; number < PAGES; number++) {
                atFreeze[number] = live[number].clone();
            }
            cuts.addLast(new Cut(store.freeze(), atFreeze, fate));
        }

        private void flusherStep() {
            if (cuts.peekFirst().step(disk)) {
                cuts.removeFirst();
            }
        }
    }

    private enum Fate {
        WRITTEN,
        FAILED,
        CLOSED
    }

    private static final class Frame {
        private final int number;
        private final long mask;
        private final long[] lines;

        private Frame(final int number, final long mask, final long[] lines) {
            this.number = number;
            this.mask = mask;
            this.lines = lines;
        }
    }

    /** A snapshot and how far the flusher is with it. */
    private final class Cut {
        private final FrozenPages frozen;
        private final long[][] expected;
        private final Fate fate;
        private final List<Frame> read = new ArrayList<>();
        private long[] frames;

        private Cut(final FrozenPages frozen, final long[][] expected, final Fate fate) {
            this.frozen = frozen;
            this.expected = expected;
            this.fate = fate;
        }

        /** One step; whether it was the last. */
        private boolean step(final long[][] disk) {
            if (fate == Fate.CLOSED) {
                return close();
            }
            if (frames == null) {
                frames = frozen.frames();
                return false;
            }
            if (fate == Fate.FAILED && read.size() >= frames.length / 2) {
                return close();
            }
            if (read.size() < frames.length) {
                read.add(read(frames[read.size()]));
                return false;
            }
            finish(disk);
            return true;
        }

        private boolean close() {
            abandoned++;
            frozen.close();
            return true;
        }

        private Frame read(final long frame) {
            final Page page = new Page().wrap(frame);
            final long[] lines = new long[LINES];
            for (int line = 1; line <= LINES; line++) {
                lines[line - 1] = page.buffer().getLong(line * Page.LINE_LENGTH);
            }
            return new Frame(page.number(), page.mask(), lines);
        }

        private void finish(final long[][] disk) {
            for (int i = 0; i < frames.length; i++) {
                // Nothing has changed a frame since it was read.
                final Frame again = read(frames[i]);
                assertEquals(read.get(i).mask, again.mask);
                assertEquals(Arrays.toString(read.get(i).lines), Arrays.toString(again.lines));
            }
            for (int number = 0; number < PAGES; number++) {
                long mask = 0;
                Frame newest = null;
                for (final Frame frame : read) {
                    if (frame.number == number) {
                        mask |= frame.mask;
                        newest = frame;
                    }
                }
                for (int line = 1; newest != null && line <= LINES; line++) {
                    if ((mask & 1L << line) != 0) {
                        disk[number][line - 1] = newest.lines[line - 1];
                    }
                }
            }
            assertEquals(Arrays.deepToString(expected), Arrays.deepToString(disk), "at the freeze");
            flushed++;
            frozen.durable();
            frozen.close();
        }
    }
}
