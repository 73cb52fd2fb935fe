/** Fakes and harnesses for tests of operators: one operator or chain on one thread, restored at every step. */
package io.weir.engine.harness;
