package io.weir.transport;

/** Sends records of any length, one per frame or in parts, and polls the gate while it waits for room. */
final class RecordSender {
    private final Task task;
    private final Recorder recorder;
    private final Feed feed = new Feed();
    private int sent;

    RecordSender(final Task task, final Recorder recorder) {
        this.task = task;
        this.recorder = recorder;
    }

    void send(final int valueLength) {
        final OutputChannel output = task.output(0);
        feed.clear().add(sent, valueLength);
        sent++;
        if (feed.length() <= output.maxBatchLength()) {
            task.send(() -> feed.offerBatch(output), recorder);
            return;
        }
        int offset = 0;
        while (offset < feed.length()) {
            final int length = Math.min(output.maxBatchLength(), feed.length() - offset);
            final int begin = offset == 0 ? OutputChannel.BEGIN_RECORD : 0;
            final int end = offset + length == feed.length() ? OutputChannel.END_RECORD : 0;
            final int from = offset;
            task.send(() -> output.offerFragment(begin | end, feed.buffer(), from, length), recorder);
            offset += length;
        }
    }

    void finish() {
        task.receive(recorder, sent);
    }
}
