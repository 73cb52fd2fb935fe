/**
 * One parallel instance of a chain: input, operators, outbox, mailbox and its part of checkpoints. Touches barrier, transport,
 * storage and operator. A task runs on its worker's thread; what it tells the job goes through {@link
 * io.weir.engine.task.TaskListener}.
 */
package io.weir.engine.task;
