package io.weir.storage.checkpoint;

import io.weir.storage.file.DiskFileStore;
import io.weir.storage.file.FileException;
import io.weir.storage.file.FileKind;
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
        this.files = files;
        this.folder = folder.toAbsolutePath().normalize();
    }

    @Override
    public String location() {
        return folder.toString();
    }

    @Override
    public CheckpointStore open(final String jobName) {
        final Path jobFolder = folder.resolve(jobId(jobName));
        try {
            makeDirectory(folder);
            makeDirectory(jobFolder);
        } catch (final FileException e) {
            throw new CheckpointStorageException(
                    "checkpoint folder " + folder + " can't be used: " + e.getMessage(), e);
        }
        return FileCheckpointStore.open(files, jobFolder, jobName);
    }

    /** Makes a directory if it is missing; its name is durable in any case (the one who made it may have died too early). */
    private void makeDirectory(final Path directory) {
        switch (files.kind(directory)) {
            case DIRECTORY -> {
                // Made earlier.
            }
            case ABSENT -> {
                final Path parent = directory.getParent();
                if (parent == null || files.kind(parent) != FileKind.DIRECTORY) {
                    throw new CheckpointStorageException(
                            "checkpoint folder " + directory + " can't be made: its parent folder is missing");
                }
                files.createDirectory(directory);
            }
            default -> throw new CheckpointStorageException("checkpoint folder " + directory + " is not a folder");
        }
        if (directory.getParent() != null) {
            files.forceDirectory(directory.getParent());
        }
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
