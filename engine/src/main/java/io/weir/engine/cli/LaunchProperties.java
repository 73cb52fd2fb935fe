package io.weir.engine.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** What the build left for the launch: version and JVM flags. */
final class LaunchProperties implements IVersionProvider {
    private final Properties properties = new Properties();

    LaunchProperties() {
        try (InputStream in = LaunchProperties.class.getResourceAsStream("launch.properties")) {
            properties.load(in);
        } catch (final IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public String[] getVersion() {
        return new String[] {
            "weir " + properties.getProperty("version"),
            "java " + System.getProperty("java.version") + " (" + System.getProperty("java.vendor") + ")",
            System.getProperty("os.name") + " " + System.getProperty("os.version") + " " + System.getProperty("os.arch")
        };
    }

    /** The flags that every JVM needs in which Weir runs. */
    List<String> jvmFlags() {
        return List.of(properties.getProperty("jvm.flags").split(" "));
    }
}
