package io.weir.transport.aeron;

import io.aeron.Aeron;
import io.aeron.CommonContext;
import io.aeron.Image;
import io.aeron.Subscription;
import io.weir.transport.channel.FrameSource;
import io.weir.transport.channel.FrameStream;
import java.util.ArrayList;
import java.util.List;
import org.agrona.collections.ArrayUtil;

/**
 * A subscription and all images that ever joined it. Joining happens under the conductor's lock on whichever thread pumps;
 * an image is kept when it leaves, so that the reader can't miss a sender that came and went between two polls.
 */
final class AeronFrameStream implements FrameStream {
    private final String name;
    private final Subscription subscription;
    private final List<AeronFrameSource> sources = new ArrayList<>();
    private volatile Image[] images = {};

    AeronFrameStream(final Aeron aeron, final String name, final int streamId) {
        this.name = name;
        subscription = aeron.addSubscription(CommonContext.IPC_CHANNEL, streamId, this::onAvailableImage, null);
    }

    private void onAvailableImage(final Image image) {
        images = ArrayUtil.add(images, image);
    }

    @Override
    public int sourceCount() {
        return images.length;
    }

    @Override
    public FrameSource source(final int index) {
        final AeronFrameSource source = new AeronFrameSource(images[index], name);
        sources.add(source);
        return source;
    }

    @Override
    public void close() {
        subscription.close();
        sources.forEach(AeronFrameSource::close);
    }
}
