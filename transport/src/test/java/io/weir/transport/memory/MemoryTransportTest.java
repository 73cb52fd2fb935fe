package io.weir.transport.memory;

import io.weir.transport.Transport;
import io.weir.transport.TransportContract;

class MemoryTransportTest extends TransportContract {
    @Override
    protected Transport openTransport() {
        return MemoryTransport.launch(new MemoryContext());
    }
}
