/** Files and folders of the command line as a whole: written atomically, deleted as trees. Any thread; may block. */
package io.weir.engine.cli.file;
