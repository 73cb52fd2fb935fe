package io.weir.engine.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** What the build left for the launch: version and JVM flags. */
final class LaunchProperties implements IVersionProvider {
    /** The launcher's environment variable for JVM options of the user. */
    static final String JAVA_OPTS = "WEIR_JAVA_OPTS";

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

    /**
     * What the launcher gives every JVM in which Weir runs: the flags that it needs, then those that the user adds.
     *
     * @param added words, as in the environment variable of the launcher; null for none.
     */
    List<String> jvmFlags(final String added) {
        final String needed = properties.getProperty("jvm.flags");
        return List.of((added == null ? needed : needed + ' ' + added).strip().split("\\s+"));
    }
}
