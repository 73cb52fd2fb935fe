package io.weir.engine.cli.job;

/**
 * A key of one source: keys of different sources have nothing to do with each other.
 *
 * @param source its name.
 * @param key within the source.
 */
record SourceKey(String source, String key) {}
