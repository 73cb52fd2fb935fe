package io.weir.storage.state;

/** Makes keyed state stores: the service interface behind which heap, pages and others stand. Thread-safe. */
public interface StateBackend {
    /**
     * Names the backend in errors and manifests.
     *
     * @return for example {@code heap}.
     */
    String name();

    /**
     * Opens an empty store for one task.
     *
     * @param context of the task.
     * @return the store; fill it with {@link KeyedStateStore#restoreShared} and {@link KeyedStateStore#restore} before use if
     *     there is a checkpoint.
     */
    KeyedStateStore open(StoreContext context);
}
