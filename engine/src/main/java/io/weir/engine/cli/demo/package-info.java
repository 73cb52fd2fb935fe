/**
 * The main job, shown: a real feed at a fixed rate, a child process that is killed again and again, and the comparison with
 * known answers. One thread feeds and watches; the child's lines are read by another. May block; touches the jobs and the logs.
 */
package io.weir.engine.cli.demo;
