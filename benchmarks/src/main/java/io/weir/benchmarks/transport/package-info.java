/** What moving records between two threads costs, next to what the medium itself can do. */
package io.weir.benchmarks.transport;
