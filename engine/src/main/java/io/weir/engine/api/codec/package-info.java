/** Binary layouts of values, and the codec that is derived from a record class. Touches Agrona only; one task per instance. */
package io.weir.engine.api.codec;
