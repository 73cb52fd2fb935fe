package io.weir.storage.state;

import io.weir.storage.snapshot.SegmentHandle;
import io.weir.storage.snapshot.SegmentReader;
import java.util.List;
import java.util.function.Predicate;

/** All keyed state and timers of one task. Task thread only. */
public interface KeyedStateStore extends AutoCloseable {
    /**
     * The table of a state, made empty on the first call and filled where a restored checkpoint had entries of it. If those were
     * written by an older version of the value codec, the first call migrates all of them ({@link StateUpgrade}): it takes as
     * long as reading and writing the table does.
     *
     * @param descriptor of the state.
     * @return the same table for the same name.
     *     The {@link StateDescriptor#expiry() expiry} of the last call holds.
     * @throws StateException if the restored state has other codecs under the name and can't be migrated, or an earlier call has
     *     others; it names the state and both codecs with their versions. What the migration throws is passed on, and the store is
     *     of no use any more.
     */
    ValueTable valueTable(StateDescriptor descriptor);

    /**
     * The timers of an operator.
     *
     * @param name unique within the task: {@code uid/timers}.
     * @param keyCodec text of the codec of their keys, see {@link CodecText}.
     * @return the same table for the same name.
     * @throws StateException if the restored timers or those of an earlier call have keys of another codec.
     */
    TimerTable timerTable(String name, String keyCodec);

    /**
     * Holds all tables still as of now and hands out what has to be written. Later changes do not show in it.
     *
     * @return the frozen state; close it when it is written or given up.
     */
    FrozenState freeze();

    /**
     * As {@link #freeze()}, but of a table whose descriptor has an {@link StateDescriptor#expiry() expiry} the entries that have
     * expired may be left out: all of those that have at {@code nowNs}, or none.
     *
     * @param nowNs the time of the cut, epoch nanoseconds.
     * @return the frozen state; close it when it is written or given up.
     */
    default FrozenState freeze(final long nowNs) {
        return freeze();
    }

    /**
     * As {@link #restore(SegmentReader, Predicate)}, of all tables.
     *
     * @param segment in canonical form, of any backend.
     */
    default void restore(final SegmentReader segment) {
        restore(segment, table -> true);
    }

    /**
     * Adds the entries of the key groups this store owns from a segment; others are skipped. Before the first use. Several
     * segments are read one after another when the parallelism has changed. Sections that hold neither states nor timers
     * are left alone.
     *
     * @param segment in canonical form, of any backend.
     * @param tables tells by its name whether a state, or timers, are taken.
     * @throws io.weir.storage.snapshot.CorruptionException if the segment is damaged.
     * @throws StateException if segments disagree on the codecs of a state.
     */
    void restore(SegmentReader segment, Predicate<String> tables);

    /**
     * As {@link #restoreShared(List, int, int, Predicate)}, of all tables.
     *
     * @param chain as {@link FrozenState#writeTo} returned it, oldest first.
     * @param firstKeyGroup the first key group that the part's task owned.
     * @param endKeyGroup behind the last key group that the part's task owned.
     */
    default void restoreShared(final List<SegmentHandle> chain, final int firstKeyGroup, final int endKeyGroup) {
        restoreShared(chain, firstKeyGroup, endKeyGroup, table -> true);
    }

    /**
     * Adds the state of the key groups this store owns from the shared segments of one task's part of a checkpoint. Before the
     * first use. Called once per part when the parallelism has changed. May leave the bytes where they are and read them at
     * the first touch.
     *
     * @param chain as {@link FrozenState#writeTo} returned it, oldest first; empty if all of the part's state is in its own
     *     segment.
     * @param firstKeyGroup the first key group that the part's task owned: the chain says nothing of others, though it may
     *     hold what they once were.
     * @param endKeyGroup behind the last key group that the part's task owned.
     * @param tables tells by its name whether a state, or timers, are taken; others do not come back with a later snapshot. Parts
     *     whose key groups overlap have no table in common.
     * @throws io.weir.storage.snapshot.CorruptionException if a segment is missing or damaged.
     * @throws StateException if the chain is of another backend, or parts disagree on the codecs of a state.
     */
    void restoreShared(List<SegmentHandle> chain, int firstKeyGroup, int endKeyGroup, Predicate<String> tables);

    /**
     * Does a bounded piece of housekeeping. Once per duty cycle, between records.
     *
     * @return the amount of work done, 0 if there was none.
     */
    int doWork();

    /**
     * The states and timer tables that came with a restored checkpoint, hold entries in this store's key groups, and that
     * nobody has asked for. They are kept and written again with each snapshot, so nothing is lost unless the job decides so.
     *
     * @return names as in {@link StateDescriptor#name()} and {@link #timerTable}, sorted, states before timers.
     */
    List<String> unclaimed();

    /**
     * Gives up what {@link #unclaimed()} names: it is not in any later snapshot. Before the first freeze. The memory of what was
     * read already may be held until the store is closed.
     */
    void dropUnclaimed();

    /**
     * The number of entries over all tables, timers included.
     *
     * @return entries.
     */
    long entryCount();

    /** Frees the store. Idempotent. Any thread, but only when its frozen states are closed and no thread uses it any more. */
    @Override
    void close();
}
