/** What people read on a terminal: durations, progress. Any thread. */
package io.weir.engine.cli.text;
