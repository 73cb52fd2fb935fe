package io.weir.storage.frame;

import io.weir.storage.file.FileException;
import io.weir.storage.file.FileMapping;
import io.weir.storage.file.FileStore;
import io.weir.storage.file.OpenFile;
import io.weir.storage.state.StateException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Slabs in a mapped file that the operating system pages in and out, so that state may exceed memory. The file's name is gone
 * as soon as it is open: nothing of it outlives the process. Its space is allocated before it is mapped, so that a full disk
 * is an error and not a dead process.
 */
public final class ScratchFileSlabs implements SlabSource {
    /** A process may have some 65,000 mappings; the pages of one are touched one by one. */
    private static final int MAX_LENGTH = 1 << 21;

    private final FileStore files;
    private final Path path;
    private final List<FileMapping> slabs = new ArrayList<>();
    private OpenFile file;
    private long length;

    /**
     * Slabs in a file that is made when the first is taken.
     *
     * @param files the disk.
     * @param path of the new file.
     */
    public ScratchFileSlabs(final FileStore files, final Path path) {
        this.files = files;
        this.path = path;
    }

    @Override
    public int maxLength() {
        return MAX_LENGTH;
    }

    @Override
    public UnsafeBuffer allocate(final int slabLength) {
        try {
            if (file == null) {
                file = files.create(path);
                files.delete(path);
            }
            file.allocate(length + slabLength);
            final FileMapping slab = file.map(length, slabLength);
            slabs.add(slab);
            length += slabLength;
            return slab.buffer();
        } catch (final FileException e) {
            throw new StateException(
                    "scratch file " + path + " has no space for " + slabLength + " bytes more of state pages: "
                            + e.getMessage(),
                    e);
        }
    }

    @Override
    public void close() {
        slabs.forEach(FileMapping::close);
        slabs.clear();
        if (file != null) {
            file.close();
            file = null;
        }
    }
}
