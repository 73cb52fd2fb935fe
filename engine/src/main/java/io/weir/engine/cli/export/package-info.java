/** Queues of windows and late rows as sorted CSV files. Touches the jobs' records and the logs; may block. */
package io.weir.engine.cli.export;
