/** The operators that run inside a task's chain, and what they ask of their task. Touches state and time; task thread. */
package io.weir.engine.operator;
