package io.weir.storage;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * The classes that one process has loaded, in a file that the next ones map instead of loading and verifying each: that is a
 * third of a short life. A JVM that can't use the file loads its classes as always.
 */
public final class ClassArchive {
    private final Path file;
    private final String classPath;

    private ClassArchive(final Path file, final String classPath) {
        this.file = file;
        this.classPath = classPath;
    }

    /**
     * An archive for this JVM's class path, whose folders it packs: only classes of jars can be archived.
     *
     * @param folder that keeps it.
     */
    public static ClassArchive in(final Path folder) throws IOException {
        final List<String> jars = new ArrayList<>();
        for (final String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            jars.add(
                    Files.isDirectory(Path.of(entry))
                            ? pack(Path.of(entry), folder.resolve("classes-" + jars.size() + ".jar"))
                                    .toString()
                            : entry);
        }
        return new ClassArchive(folder.resolve("classes.jsa"), String.join(File.pathSeparator, jars));
    }

    /** Flags of the process that writes the archive when it ends. */
    public List<String> written() {
        return List.of("-XX:ArchiveClassesAtExit=" + file, "-cp", classPath);
    }

    /** Flags of a process that uses it. */
    public List<String> used() {
        return List.of("-XX:SharedArchiveFile=" + file, "-cp", classPath);
    }

    private static Path pack(final Path folder, final Path jar) throws IOException {
        try (OutputStream out = Files.newOutputStream(jar);
                ZipOutputStream zip = new ZipOutputStream(out);
                Stream<Path> files = Files.walk(folder)) {
            zip.setLevel(Deflater.NO_COMPRESSION);
            for (final Path packed : files.filter(Files::isRegularFile).toList()) {
                zip.putNextEntry(new ZipEntry(folder.relativize(packed).toString()));
                Files.copy(packed, zip);
            }
        }
        return jar;
    }
}
