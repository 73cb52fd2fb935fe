/** Weir in processes of its own: killed, stopped, and started again. */
package io.weir.engine.cli.process;
