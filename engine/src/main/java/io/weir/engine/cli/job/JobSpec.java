package io.weir.engine.cli.job;

import io.weir.engine.cli.text.Durations;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * What decides a job's result: its folder remembers it, and a job goes on with the same only. Folders that were made when the
 * parallelism was part of it have it too; nobody asks for it.
 *
 * @param kind of the job.
 * @param input what is read, by its name.
 * @param inputMark what tells the input from another of the same name.
 * @param windowNs size of the windows, positive.
 * @param latenessNs how far a record may come behind a later one of its source, not negative.
 * @param dedup column whose value repeats share, null to keep repeats.
 */
public record JobSpec(String kind, String input, InputMark inputMark, long windowNs, long latenessNs, String dedup) {
    private static final String NS = "ns";
    private static final Pattern TIME = Pattern.compile("[0-9]{1,18}" + NS);

    /** Checks the ranges. */
    public JobSpec {
        if (windowNs <= 0) {
            throw new IllegalArgumentException("--window must be longer than 0");
        }
        if (latenessNs < 0) {
            throw new IllegalArgumentException("--lateness must not be negative");
        }
    }

    /** A value for people: folders keep times in nanoseconds, so that 60s and 1m are the same setting. */
    static String shown(final String value) {
        return TIME.matcher(value).matches()
                ? Durations.exact(Long.parseLong(value.substring(0, value.length() - NS.length())))
                : value;
    }

    /**
     * The values as text, by the name a user knows them under.
     *
     * @return in fixed order.
     */
    Map<String, String> values() {
        final Map<String, String> values = new LinkedHashMap<>();
        values.put("job", kind);
        values.put("--input", input);
        values.put("length of the input", inputMark.lengthText());
        values.put("checksum of the input", inputMark.checksumText());
        values.put("--window", windowNs + NS);
        values.put("--lateness", latenessNs + NS);
        values.put("--dedup", dedup == null ? "none" : dedup);
        return values;
    }
}
