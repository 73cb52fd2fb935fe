/** Faults inside commits, for tests of whole jobs. */
package io.weir.storage.chronicle;
