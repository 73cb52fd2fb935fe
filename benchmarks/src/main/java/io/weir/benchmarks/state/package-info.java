/**
 * Keyed state measured beside what else keeps it: the heap backend, a primitive map, RocksDB. Touches storage's state SPI and its
 * backends, and RocksDB, which nothing else sees.
 */
package io.weir.benchmarks.state;
