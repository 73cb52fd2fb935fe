/** What people read on a terminal: durations, numbers, progress. Any thread. */
package io.weir.engine.cli.text;
