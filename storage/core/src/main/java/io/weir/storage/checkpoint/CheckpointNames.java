package io.weir.storage.checkpoint;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The names in a job's folder, and the check that none leads out of it. */
final class CheckpointNames {
    static final String MANIFEST = "manifest";
    static final String SHARED = "shared";

    private static final String SEGMENT = ".segment";
    private static final String SEGMENT_NAME = "[A-Za-z0-9_-][A-Za-z0-9._-]{0,199}";
    private static final Pattern SEGMENT_PATTERN = Pattern.compile(SEGMENT_NAME);
    private static final Pattern FOLDER_PATTERN = Pattern.compile("chk-([1-9][0-9]{0,17})");
    private static final Pattern FILE_PATTERN =
            Pattern.compile(FOLDER_PATTERN.pattern() + "/" + SEGMENT_NAME + Pattern.quote(SEGMENT));

    private static final String PAGES = ".pages";
    private static final Pattern SHARED_PATTERN =
            Pattern.compile("([1-9][0-9]{0,17})-[A-Za-z0-9._-]{1,220}" + Pattern.quote(PAGES));

    private static final Pattern SAVEPOINT_FILE_PATTERN = Pattern.compile(
            "[A-Za-z0-9_-][A-Za-z0-9._-]{0,239}(" + Pattern.quote(SEGMENT) + "|" + Pattern.quote(PAGES) + ")");
    private static final Pattern SAVEPOINT_PATTERN = Pattern.compile("savepoint-(?:(.+)-)?([1-9][0-9]{0,17})");

    private CheckpointNames() {}

    /** A savepoint's folder in the job's own. */
    static String savepoint(final long checkpointId) {
        return "savepoint-" + checkpointId;
    }

    /** A savepoint's folder anywhere else. */
    static String savepoint(final String jobId, final long checkpointId) {
        return "savepoint-" + jobId + "-" + checkpointId;
    }

    /** The id of a savepoint's folder of any job, or -1 if the name is none. */
    static long savepointId(final String folder) {
        final Matcher matcher = SAVEPOINT_PATTERN.matcher(folder);
        return matcher.matches() ? Long.parseLong(matcher.group(2)) : -1;
    }

    /** Whether it is a savepoint's folder that this job may have begun. */
    static boolean isSavepointOf(final String jobId, final String folder) {
        final long checkpointId = savepointId(folder);
        return checkpointId > 0
                && (folder.equals(savepoint(checkpointId)) || folder.equals(savepoint(jobId, checkpointId)));
    }

    static String savepointSegment(final String name) {
        return name + SEGMENT;
    }

    static String savepointPages(final String task, final String suffix) {
        return task + "-" + suffix + PAGES;
    }

    /** Whether it is the name of a file that a savepoint's manifest may name. */
    static boolean isSavepointFile(final String file) {
        return SAVEPOINT_FILE_PATTERN.matcher(file).matches();
    }

    static void checkSavepointFile(final String file) {
        if (!isSavepointFile(file)) {
            throw new IllegalArgumentException(
                    "file '" + file + "' of a savepoint must be <name>" + SEGMENT + " or <name>" + PAGES);
        }
    }

    static String folder(final long checkpointId) {
        return "chk-" + checkpointId;
    }

    /** The id of a checkpoint's folder, or -1 if the name is none. */
    static long checkpointId(final String folder) {
        final Matcher matcher = FOLDER_PATTERN.matcher(folder);
        return matcher.matches() ? Long.parseLong(matcher.group(1)) : -1;
    }

    static String segmentFile(final long checkpointId, final String name) {
        return folder(checkpointId) + "/" + name + SEGMENT;
    }

    static String sharedFile(final long checkpointId, final String task, final String suffix) {
        return SHARED + "/" + checkpointId + "-" + task + "-" + suffix + PAGES;
    }

    /** The id of the checkpoint that a file in the folder of shared segments was made for, or -1 if the name is of none. */
    static long sharedBy(final String name) {
        final Matcher matcher = SHARED_PATTERN.matcher(name);
        return matcher.matches() ? Long.parseLong(matcher.group(1)) : -1;
    }

    static void checkSharedFile(final String file) {
        if (!file.startsWith(SHARED + "/") || sharedBy(file.substring(SHARED.length() + 1)) < 0) {
            throw new IllegalArgumentException(
                    "shared segment '" + file + "' must be " + SHARED + "/<id>-<task>-<suffix>" + PAGES);
        }
    }

    static boolean isId(final long checkpointId) {
        return checkpointId >= 1 && checkpointId < 1_000_000_000_000_000_000L;
    }

    static void checkId(final long checkpointId) {
        if (!isId(checkpointId)) {
            throw new IllegalArgumentException("checkpointId=" + checkpointId + " must be in [1, 10^18)");
        }
    }

    static void checkSegment(final String name) {
        if (!SEGMENT_PATTERN.matcher(name).matches()) {
            throw new IllegalArgumentException("segment name '" + name
                    + "' must have 1 to 200 letters, digits, '-', '_' or '.', and not begin with '.'");
        }
    }

    /** Whether it is the name of a segment within its checkpoint's folder. */
    static boolean isSegmentName(final String name) {
        return name.endsWith(SEGMENT)
                && SEGMENT_PATTERN
                        .matcher(name.substring(0, name.length() - SEGMENT.length()))
                        .matches();
    }

    static void checkSegmentFile(final String file) {
        if (!FILE_PATTERN.matcher(file).matches()) {
            throw new IllegalArgumentException("segment file '" + file + "' must be chk-<id>/<name>" + SEGMENT);
        }
    }
}
