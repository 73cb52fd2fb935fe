package io.weir.storage.snapshot;

/**
 * A finished segment.
 *
 * @param file name relative to the job's folder in the checkpoint store, such as {@code chk-7/window-0.segment}.
 * @param length in bytes.
 * @param checksum CRC-32C over the whole file.
 * @param entries in all sections together.
 */
public record SegmentHandle(String file, long length, int checksum, long entries) {}
