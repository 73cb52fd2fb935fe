/** Tests of the logs, and what every log shares: the contract suites and the fake in memory. */
package io.weir.storage.log;
