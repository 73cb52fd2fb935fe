/** What figures were made on, and what else ran there meanwhile. Touches nothing of Weir; reads {@code /proc}. */
package io.weir.benchmarks.machine;
