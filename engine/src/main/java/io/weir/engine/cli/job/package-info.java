/**
 * What {@code weir run} runs: ticks and metrics read by column name, exact windows over them, late rows, and the pipelines that
 * connect them. Touches the API and the logs; codecs and accumulators run on task threads, one instance per task.
 */
package io.weir.engine.cli.job;
