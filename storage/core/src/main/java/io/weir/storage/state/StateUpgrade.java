package io.weir.storage.state;

import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;

/**
 * Decides whether restored state can be used as the job asks for it, and brings its values to the job's version. Task thread.
 *
 * <p>Same codecs are used as they are. An older version of the value codec is migrated, if the state has a migration that reads
 * it, for the whole table at once and before anybody sees a value. All else is refused: keys above all, since their bytes decide
 * key group, hash and order.
 */
public final class StateUpgrade {
    private static final int ENTRIES_A_STEP = 1024;

    private StateUpgrade() {}

    /**
     * Compares a state with the table that a checkpoint has of it.
     *
     * @param kept what the checkpoint has.
     * @param asked what the job asks for, with its migration if there is one.
     * @return whether the values have to be migrated; else they are used as they are.
     * @throws StateException if the state can't be used; it names the state, both codecs and both versions.
     */
    public static boolean isNeeded(final StateDescriptor kept, final StateDescriptor asked) {
        if (!kept.keyCodec().equals(asked.keyCodec())) {
            throw keysChanged("state " + kept.name(), kept.keyCodec(), asked.keyCodec());
        }
        if (kept.valueCodec().equals(asked.valueCodec())) {
            return false;
        }
        checkVersions("state " + kept.name(), "value codec", kept.valueCodec(), asked.valueCodec(), asked.migration());
        return true;
    }

    /**
     * Compares the codec of values that differ from what the job asks for.
     *
     * @param state that they belong to, for the error.
     * @param role of the codec in it, for the error.
     * @param kept text of the codec in the checkpoint.
     * @param asked another text, of the codec that is asked for.
     * @param migration null if there is none.
     * @throws StateException if they can't be migrated; it names the state, both codecs and both versions.
     */
    public static void checkVersions(
            final String state,
            final String role,
            final String kept,
            final String asked,
            final ValueMigration migration) {
        final CodecText from = CodecText.parse(kept);
        final CodecText to = CodecText.parse(asked);
        final String difference = state + " has " + role + " " + from.display() + " in the checkpoint, but "
                + to.display() + " is asked for: ";
        if (!from.isVersionOf(to)) {
            throw new StateException(difference + "only versions of one codec can be migrated");
        }
        if (from.version() == to.version()) {
            throw new StateException(difference + "a codec whose layout changes needs a new version and a migration");
        }
        if (from.version() > to.version()) {
            throw new StateException(difference + "a newer version can't be read; run the job that wrote it, or restore"
                    + " a checkpoint from before it");
        }
        if (migration == null || !migration.reads(from.version(), from.layout())) {
            throw new StateException(
                    difference + "there is no migration that reads version " + from.version() + " as it is there");
        }
    }

    /**
     * The error for keys that have another codec.
     *
     * @param state that they belong to, or timers.
     * @param kept text of the codec in the checkpoint.
     * @param asked text of the codec that is asked for.
     * @return to be thrown.
     */
    public static StateException keysChanged(final String state, final String kept, final String asked) {
        return new StateException(
                state + " has key codec " + CodecText.parse(kept).display() + " in the checkpoint, but "
                        + CodecText.parse(asked).display()
                        + " is asked for: keys can't be migrated, because their bytes decide key group, hash and order;"
                        + " keep the codec, or give the state another name");
    }

    /**
     * Compares the codecs that a table of timers has for its keys.
     *
     * @param name of the timers.
     * @param kept text of the codec; empty if the checkpoint is older than such texts.
     * @param asked text of the codec that is asked for, empty if it is not known.
     * @return that of the two which is known.
     * @throws StateException if they differ; it names the timers, both codecs and both versions.
     */
    public static String timerKeys(final String name, final String kept, final String asked) {
        if (!kept.isEmpty() && !asked.isEmpty() && !kept.equals(asked)) {
            throw keysChanged("timers " + name, kept, asked);
        }
        return kept.isEmpty() ? asked : kept;
    }

    /**
     * The error for whoever uses a store although a migration in it has failed.
     *
     * @param name of the state that was to be migrated.
     * @return to be thrown.
     */
    public static StateException halfMigrated(final String name) {
        return new StateException("the migration of state " + name + " failed, so its store can't be used");
    }

    /**
     * Rewrites all values of a table.
     *
     * @param table with values of the codec that is kept.
     * @param kept what the checkpoint has.
     * @param asked has the migration: {@link #isNeeded} has said so.
     */
    public static void migrate(final ValueTable table, final StateDescriptor kept, final StateDescriptor asked) {
        final int fromVersion = CodecText.parse(kept.valueCodec()).version();
        final ExpandableArrayBuffer key = new ExpandableArrayBuffer(64);
        final ExpandableArrayBuffer migrated = new ExpandableArrayBuffer(64);
        final ValueTable.Visitor visitor =
                (final int keyGroup, final DirectBuffer keyView, final DirectBuffer value) -> {
                    final int keyLength = keyView.capacity();
                    key.putBytes(0, keyView, 0, keyLength);
                    final int length = asked.migration().migrate(fromVersion, keyView, value, migrated);
                    table.put(keyGroup, key, 0, keyLength, migrated, 0, length);
                };
        long cursor = ValueTable.SCAN_BEGIN;
        while (cursor != ValueTable.SCAN_END) {
            cursor = table.scan(cursor, ENTRIES_A_STEP, visitor);
        }
    }
}
