package io.weir.storage.file;

/** What is found under a name. */
public enum FileKind {
    /** Nothing. */
    ABSENT,
    /** A regular file. */
    FILE,
    /** A directory. */
    DIRECTORY,
    /** Something else, such as a device. */
    OTHER
}
