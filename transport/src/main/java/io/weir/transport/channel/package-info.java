/**
 * What all channels share: the reading of streams record by record, with a cursor that can stand inside a batch. Sees
 * frames only through {@link io.weir.transport.channel.FrameSource}, so each medium brings just that. Task thread.
 */
package io.weir.transport.channel;
