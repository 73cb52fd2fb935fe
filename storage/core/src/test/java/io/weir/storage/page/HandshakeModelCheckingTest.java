package io.weir.storage.page;

import io.weir.storage.frame.SlabSource;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.agrona.AbstractMutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.ManagedStrategyGuaranteeKt;
import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The handshake between a task that writes and freezes and a flusher, under Lincheck: the threads are switched at each access
 * to what they share, and what a flush has put on disk must be what the pages held at its freeze, as if freeze and flush were
 * one step after another.
 */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
@Param(name = "page", gen = IntGen.class, conf = "0:1")
@Param(name = "value", gen = IntGen.class, conf = "1:3")
public class HandshakeModelCheckingTest {
    private static final int PAGES = 2;
    private static final int SLAB_FRAMES = 16;
    private static final int VALUE = Page.LINE_LENGTH;
    private static final String NONE = "none";

    /** One piece of memory for all runs, of which there is one at a time. */
    private static final ByteBuffer MEMORY =
            ByteBuffer.allocateDirect((SLAB_FRAMES + 1) * Page.LENGTH).alignedSlice(Page.LENGTH);

    private final PageStore store = new PageStore(new OneSlab(), 0);
    private final PageGroup group = new TablePages(store, new TableName("value/uid/table", ""), 0, 1, null).open(0);
    private final Page written = new Page();
    private final Page flushed = new Page();
    private final Queue<FrozenPages> cuts = new ConcurrentLinkedQueue<>();
    private final long[] disk = new long[PAGES];

    /** Lincheck makes one for each run. */
    public HandshakeModelCheckingTest() {
        for (int number = 0; number < PAGES; number++) {
            group.allocate(written);
            written.init(Page.OVERFLOW);
            written.buffer().putLong(VALUE, 0);
        }
    }

    @Test
    void shouldFlushWhatPagesHeldAtTheFreezeHoweverThreadsAreSwitched() {
        new ModelCheckingOptions()
                .threads(2)
                .actorsPerThread(5)
                .actorsBefore(0)
                .actorsAfter(3)
                .iterations(Integer.getInteger("weir.test.scenarios", 8))
                .invocationsPerIteration(200)
                .sequentialSpecification(Model.class)
                // Buffers belong to one thread each, and Lincheck can't follow the constants that they inherit.
                .addGuarantee(ManagedStrategyGuaranteeKt.forClasses(
                                UnsafeBuffer.class.getName(), AbstractMutableDirectBuffer.class.getName())
                        .allMethods()
                        .ignore())
                .check(HandshakeModelCheckingTest.class);
    }

    /** The task writes a page. */
    @Operation(nonParallelGroup = "task")
    public void write(@Param(name = "page") final int page, @Param(name = "value") final int value) {
        group.read(page, written);
        group.write(page, written);
        written.buffer().putLong(VALUE, value);
        written.mark(VALUE, Long.BYTES);
    }

    /** The task ends an epoch. */
    @Operation(nonParallelGroup = "task")
    public void freeze() {
        cuts.add(store.freeze());
    }

    /** The task does what may wait; changes nothing that can be seen. */
    @Operation(nonParallelGroup = "task")
    public void work() {
        store.doWork();
    }

    /** The flusher writes the oldest snapshot; what is on disk then. */
    @Operation(nonParallelGroup = "flusher")
    public String flush() {
        final FrozenPages cut = cuts.poll();
        if (cut == null) {
            return NONE;
        }
        for (final long frame : cut.frames()) {
            flushed.wrap(frame);
            if ((flushed.mask() & 1L << (VALUE / Page.LINE_LENGTH)) != 0) {
                disk[flushed.number()] = flushed.buffer().getLong(VALUE);
            }
        }
        cut.durable();
        cut.close();
        return Arrays.toString(disk);
    }

    /** The flusher fails with the oldest snapshot. */
    @Operation(nonParallelGroup = "flusher")
    public boolean fail() {
        final FrozenPages cut = cuts.poll();
        if (cut != null) {
            cut.close();
        }
        return cut != null;
    }

    /** What Lincheck compares with: a freeze copies all values. */
    public static final class Model {
        private final long[] values = new long[PAGES];
        private final Queue<long[]> cuts = new ArrayDeque<>();

        /** Writes. */
        public void write(final int page, final int value) {
            values[page] = value;
        }

        /** Copies. */
        public void freeze() {
            cuts.add(values.clone());
        }

        /** Nothing. */
        public void work() {}

        /** Takes the oldest copy. */
        public String flush() {
            final long[] cut = cuts.poll();
            return cut == null ? NONE : Arrays.toString(cut);
        }

        /** Drops the oldest copy. */
        public boolean fail() {
            return cuts.poll() != null;
        }
    }

    private static final class OneSlab implements SlabSource {
        @Override
        public int maxLength() {
            return SLAB_FRAMES * Page.LENGTH;
        }

        @Override
        public UnsafeBuffer allocate(final int length) {
            return new UnsafeBuffer(MEMORY, 0, SLAB_FRAMES * Page.LENGTH);
        }

        @Override
        public void close() {}
    }
}
