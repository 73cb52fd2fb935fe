/** Tests of the logs on Chronicle Queue. */
package io.weir.storage.chronicle;
