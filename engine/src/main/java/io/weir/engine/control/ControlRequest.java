package io.weir.engine.control;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.weir.engine.api.SavepointFormat;
import io.weir.engine.api.StopMode;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * One request, as a line of words: {@code weir/1 COMMAND [name=value ...]}, values in the encoding of URLs, so that a path may have
 * any character.
 *
 * <pre>
 *   weir/1 status
 *   weir/1 savepoint format=FORMAT [directory=PATH]
 *   weir/1 stop mode=MODE [format=FORMAT [directory=PATH]]      with a format: behind a savepoint
 *   weir/1 cancel
 * </pre>
 *
 * @param command what to do.
 * @param format of the savepoint, null for none.
 * @param directory for the savepoint, null for the job's own.
 * @param mode of the stop, null for none.
 */
record ControlRequest(Command command, SavepointFormat format, Path directory, StopMode mode) {
    /** The most bytes of a request, its line end included. */
    static final int MAX_LENGTH = 32 * 1024;

    private static final String VERSION = "weir/1";
    private static final String FORMAT = "format";
    private static final String DIRECTORY = "directory";
    private static final String MODE = "mode";

    /** What can be asked for. */
    enum Command {
        STATUS,
        SAVEPOINT,
        STOP,
        CANCEL;

        private Set<String> names() {
            return switch (this) {
                case STATUS, CANCEL -> Set.of();
                case SAVEPOINT -> Set.of(FORMAT, DIRECTORY);
                case STOP -> Set.of(MODE, FORMAT, DIRECTORY);
            };
        }

        private String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    String line() {
        final List<String> words = new ArrayList<>(List.of(VERSION, command.word()));
        if (mode != null) {
            words.add(MODE + "=" + mode);
        }
        if (format != null) {
            words.add(FORMAT + "=" + format);
        }
        if (directory != null) {
            words.add(DIRECTORY + "=" + URLEncoder.encode(directory.toString(), UTF_8));
        }
        return String.join(" ", words);
    }

    /** Reads a line. An {@link IllegalArgumentException} says in one line what is wrong with it. */
    static ControlRequest parse(final String line) {
        final String[] words = line.strip().split(" +");
        if (!words[0].equals(VERSION)) {
            throw new IllegalArgumentException("a request begins with " + VERSION + ", not with " + shown(words[0]));
        }
        final Command command = command(words.length > 1 ? words[1] : "");
        final Map<String, String> values = new HashMap<>();
        for (int i = 2; i < words.length; i++) {
            final int at = words[i].indexOf('=');
            final String name = at < 0 ? words[i] : words[i].substring(0, at);
            if (at < 0 || !command.names().contains(name)) {
                throw new IllegalArgumentException(command.word() + " knows no " + shown(name));
            }
            if (values.put(name, URLDecoder.decode(words[i].substring(at + 1), UTF_8)) != null) {
                throw new IllegalArgumentException(name + " is given twice");
            }
        }
        return of(command, values);
    }

    private static Command command(final String word) {
        for (final Command command : Command.values()) {
            if (command.word().equals(word)) {
                return command;
            }
        }
        throw new IllegalArgumentException("there is no command " + shown(word));
    }

    private static ControlRequest of(final Command command, final Map<String, String> values) {
        final SavepointFormat format = constant(SavepointFormat.class, FORMAT, values);
        final StopMode mode = constant(StopMode.class, MODE, values);
        if (command == Command.SAVEPOINT && format == null) {
            throw new IllegalArgumentException("savepoint needs a " + FORMAT);
        }
        if (command == Command.STOP && mode == null) {
            throw new IllegalArgumentException("stop needs a " + MODE);
        }
        final String directory = values.get(DIRECTORY);
        if (directory != null && format == null) {
            throw new IllegalArgumentException("a " + DIRECTORY + " needs a " + FORMAT);
        }
        try {
            final Path path = directory == null ? null : Path.of(directory);
            if (path != null && !path.isAbsolute()) {
                throw new IllegalArgumentException(DIRECTORY + " " + shown(directory) + " is not absolute");
            }
            return new ControlRequest(command, format, path, mode);
        } catch (final InvalidPathException e) {
            throw new IllegalArgumentException(DIRECTORY + " " + shown(directory) + " is no path", e);
        }
    }

    private static <E extends Enum<E>> E constant(
            final Class<E> type, final String name, final Map<String, String> values) {
        final String value = values.get(name);
        if (value == null) {
            return null;
        }
        for (final E constant : type.getEnumConstants()) {
            if (constant.name().equals(value)) {
                return constant;
            }
        }
        throw new IllegalArgumentException(name + " can't be " + shown(value));
    }

    /** What somebody sent, short and without control characters. */
    private static String shown(final String text) {
        final String plain = text.replaceAll("\\p{Cntrl}", "?");
        return "'" + (plain.length() > 40 ? plain.substring(0, 40) + "..." : plain) + "'";
    }
}
