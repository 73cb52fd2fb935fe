/** The data sets that tests compare with. */
package io.weir.engine.cli.data;
