package io.weir.engine.cli.job;

import io.weir.engine.api.Codec;
import java.math.BigDecimal;

/** Gathers the trades of one window. The result does not depend on the order in which they come. */
final class Ohlc {
    private long count;
    private Place first;
    private Place last;
    private BigDecimal open;
    private BigDecimal high;
    private BigDecimal low;
    private BigDecimal close;
    private BigDecimal volume = BigDecimal.ZERO;
    private BigDecimal notional = BigDecimal.ZERO;
    private String source = "";
    private String key = "";

    static Codec<Ohlc> codec() {
        return new FieldCodec<>(
                "Ohlc(source:text,key:text,count:long,first:place,last:place,open:decimal,high:decimal,low:decimal,"
                        + "close:decimal,volume:decimal,notional:decimal)",
                (out, ohlc) -> ohlc.write(out),
                Ohlc::read);
    }

    void add(final Tick tick) {
        final Place place = Place.of(tick);
        final BigDecimal price = tick.price();
        if (count == 0) {
            source = tick.source();
            key = tick.key();
            high = price;
            low = price;
        } else {
            high = high.max(price);
            low = low.min(price);
        }
        if (count == 0 || place.compareTo(first) < 0) {
            first = place;
            open = price;
        }
        if (count == 0 || place.compareTo(last) > 0) {
            last = place;
            close = price;
        }
        count++;
        volume = volume.add(tick.qty());
        notional = notional.add(price.multiply(tick.qty()));
    }

    OhlcWindow window(final long startNs, final long endNs) {
        return new OhlcWindow(source, key, startNs, endNs, count, open, high, low, close, volume, notional);
    }

    private void write(final FieldWriter out) {
        out.putText(source).putText(key).putLong(count);
        if (count > 0) {
            out.putPlace(first)
                    .putPlace(last)
                    .putDecimal(open)
                    .putDecimal(high)
                    .putDecimal(low)
                    .putDecimal(close)
                    .putDecimal(volume)
                    .putDecimal(notional);
        }
    }

    private static Ohlc read(final FieldReader in) {
        final Ohlc ohlc = new Ohlc();
        ohlc.source = in.getText();
        ohlc.key = in.getText();
        ohlc.count = in.getLong();
        if (ohlc.count > 0) {
            ohlc.first = in.getPlace();
            ohlc.last = in.getPlace();
            ohlc.open = in.getDecimal();
            ohlc.high = in.getDecimal();
            ohlc.low = in.getDecimal();
            ohlc.close = in.getDecimal();
            ohlc.volume = in.getDecimal();
            ohlc.notional = in.getDecimal();
        }
        return ohlc;
    }
}
