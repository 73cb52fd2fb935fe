package io.weir.engine.simulation;

import io.weir.storage.checkpoint.CheckpointStorage;
import io.weir.storage.file.FileStore;
import io.weir.storage.log.ReplayableLog;
import io.weir.storage.log.TransactionalLog;
import io.weir.storage.state.StateBackend;
import io.weir.transport.Transport;

/** Where a test can stand between a job and the world, to make a mistake on purpose. One per run. */
interface Seams {
    /** Nobody stands anywhere. */
    Seams NONE = new Seams() {};

    default Transport transport(final Transport transport) {
        return transport;
    }

    default CheckpointStorage checkpoints(final CheckpointStorage storage) {
        return storage;
    }

    default StateBackend backend(final StateBackend backend) {
        return backend;
    }

    default ReplayableLog input(final ReplayableLog input) {
        return input;
    }

    default TransactionalLog output(final TransactionalLog output) {
        return output;
    }

    default FileStore files(final FileStore files) {
        return files;
    }
}
