package io.weir.storage.checkpoint;

import io.weir.storage.file.DiskFileStore;
import io.weir.storage.file.FileException;
import io.weir.storage.file.FileStore;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * Checkpoints in a folder (DESIGN section 6): {@code <folder>/<job id>/chk-<n>/manifest} beside the checkpoint's segments. The
 * job id is the job's name, with all but letters, digits, {@code - _} and inner dots written as {@code %XX}. The folder is
 * made if its parent is there.
 */
public final class FileCheckpointStorage implements CheckpointStorage {
    private static final int MAX_JOB_ID_LENGTH = 200;

    private final FileStore files;
    private final Path folder;
    private final FileStore savepointFiles;

    /**
     * A folder on the real disk.
     *
     * @param folder for the checkpoints of many jobs.
     */
    public FileCheckpointStorage(final Path folder) {
        this(new DiskFileStore(), folder);
    }

    /**
     * A folder on any disk.
     *
     * @param files the disk.
     * @param folder for the checkpoints of many jobs.
     */
    public FileCheckpointStorage(final FileStore files, final Path folder) {
        this(files, folder, files);
    }

    /** Where savepoints are on another disk, the job's own folder is no place for them. */
    FileCheckpointStorage(final FileStore files, final Path folder, final FileStore savepointFiles) {
        this.files = files;
        this.folder = folder.toAbsolutePath().normalize();
        this.savepointFiles = savepointFiles;
    }

    @Override
    public String location() {
        return folder.toString();
    }

    @Override
    public CheckpointStore open(final String jobName) {
        final Path jobFolder = folder.resolve(jobId(jobName));
        try {
            Folders.make(files, folder, "checkpoint folder");
            Folders.make(files, jobFolder, "checkpoint folder");
        } catch (final FileException e) {
            throw new CheckpointStorageException(
                    "checkpoint folder " + folder + " can't be used: " + e.getMessage(), e);
        }
        return FileCheckpointStore.open(files, jobFolder, jobName, savepointFiles);
    }

    private static String jobId(final String jobName) {
        if (jobName.isBlank()) {
            throw new IllegalArgumentException("a job needs a name");
        }
        final StringBuilder id = new StringBuilder();
        for (final byte unit : jobName.getBytes(StandardCharsets.UTF_8)) {
            final char c = (char) (unit & 0xFF);
            final boolean plain = c < 0x80 && (Character.isLetterOrDigit(c) || c == '-' || c == '_');
            if (plain || (c == '.' && id.length() > 0)) {
                id.append(c);
            } else {
                id.append('%').append(Character.forDigit(c >> 4, 16)).append(Character.forDigit(c & 15, 16));
            }
        }
        if (id.length() > MAX_JOB_ID_LENGTH) {
            throw new IllegalArgumentException("job name '" + jobName + "' is too long for a folder: " + id.length()
                    + " characters, at most " + MAX_JOB_ID_LENGTH);
        }
        return id.toString();
    }
}
