package io.weir.engine.cli;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads durations such as {@code 100ms} or {@code 60s}; nothing is {@code 0} of any unit or none. */
final class DurationConverter implements ITypeConverter<Duration> {
    private static final Pattern DURATION = Pattern.compile("([0-9]{1,18})(ns|us|ms|s|m|h|d)");
    private static final Map<String, ChronoUnit> UNITS = Map.of(
            "ns", ChronoUnit.NANOS,
            "us", ChronoUnit.MICROS,
            "ms", ChronoUnit.MILLIS,
            "s", ChronoUnit.SECONDS,
            "m", ChronoUnit.MINUTES,
            "h", ChronoUnit.HOURS,
            "d", ChronoUnit.DAYS);

    @Override
    public Duration convert(final String text) {
        if (text.equals("0")) {
            return Duration.ZERO;
        }
        final Matcher matcher = DURATION.matcher(text);
        if (!matcher.matches()) {
            throw new TypeConversionException("'" + text + "' is no duration such as 100ms, 60s, 5m, 1h or 1d");
        }
        try {
            final Duration duration = Duration.of(Long.parseLong(matcher.group(1)), UNITS.get(matcher.group(2)));
            return Duration.ofNanos(duration.toNanos());
        } catch (final ArithmeticException e) {
            throw new TypeConversionException("'" + text + "' is longer than 64 bits of nanoseconds");
        }
    }
}
