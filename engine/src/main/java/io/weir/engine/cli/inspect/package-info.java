/** What {@code weir inspect} prints of checkpoints: plain text in columns. The thread of the command. */
package io.weir.engine.cli.inspect;
