/**
 * Runs a job: deploys its tasks, carries out what the checkpoint coordinator decides, and after a failure starts again from the
 * newest checkpoint. Touches coordinator, graph, storage, task and worker. Each job has a thread of its own that may block.
 */
package io.weir.engine.recovery;
