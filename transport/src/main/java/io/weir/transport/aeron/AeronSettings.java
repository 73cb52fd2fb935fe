package io.weir.transport.aeron;

import org.agrona.ErrorHandler;

/** What an {@link AeronContext} was when the transport was launched. */
record AeronSettings(
        String aeronDirectory,
        String embeddedParent,
        int dataTermLength,
        int controlTermLength,
        int mtuLength,
        int maxRecordLength,
        long channelBudget,
        long driverTimeoutNs,
        ErrorHandler errorHandler) {}
