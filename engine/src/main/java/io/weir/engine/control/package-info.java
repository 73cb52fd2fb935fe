/**
 * Asking a running job from another process of the same user: status, savepoint, stop and cancel, over a Unix domain socket in a
 * folder. May touch the job's face and its status. One daemon thread per served job; no request can fail or delay the job.
 */
package io.weir.engine.control;
