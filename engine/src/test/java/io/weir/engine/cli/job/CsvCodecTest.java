package io.weir.engine.cli.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.math.BigDecimal;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CsvCodecTest {
    private static final List<String> HEADER =
            List.of("source", "arrival", "sub", "key", "event_ns", "price", "qty", "id");

    @Test
    void shouldFindColumnsByNameWhateverTheirOrder() {
        final CsvCodec<Tick> codec =
                CsvCodec.ticks(List.of("qty", "side", "id", "event_ns", "key", "price", "arrival", "source"), "id");

        final Tick tick = CsvRows.decode("0.10,B,t7,-5,BTC,800.01,3,X", codec);

        assertEquals(new Tick("X", 3, 0, "BTC", -5, "t7", new BigDecimal("800.01"), new BigDecimal("0.10")), tick);
    }

    @Test
    void shouldNameEveryMissingColumn() {
        final var error = assertThrows(
                IllegalArgumentException.class,
                () -> CsvCodec.ticks(List.of("source", "arrival", "key", "event_ns", "qty"), "trade_id"));

        assertEquals(
                "no columns 'price', 'trade_id' in the header source,arrival,key,event_ns,qty", error.getMessage());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "X,1,0,K,5,1.5,2; the row ends before column 'id': it has 7 fields, the header 8",
                "X,1,0,K,5,1.5,2,9,9; the row has more fields than the 8 columns of the header",
                "X,1,0,K,,1.5,2,9; column 'event_ns' is empty",
                ",1,0,K,5,1.5,2,9; column 'source' is empty",
                "X,1,0,K,5,1.5,2,; column 'id' is empty",
                "X,one,0,K,5,1.5,2,9; column 'arrival': 'one' is no decimal number",
                "X,1,0,K,9223372036854775808,1.5,2,9; column 'event_ns': '9223372036854775808' is beyond 64 bits",
                "X,1,0,K,5,abc,2,9; column 'price': not a decimal number: 'abc'",
                "X,1,0,K,5,1e999999999,2,9; column 'price': a decimal of more than 1000 digits: '1e999999999'",
                "X,1,0,K,5,NaN,2,9; column 'price': not a decimal number: 'NaN'"
            })
    void shouldSayWhatIsWrongWithARow(final String line, final String reason) {
        final CsvCodec<Tick> codec = CsvCodec.ticks(HEADER, "id");

        final var error = assertThrows(IllegalArgumentException.class, () -> CsvRows.decode(line, codec));

        assertEquals(reason, error.getMessage());
    }

    @Test
    void shouldReadOnAfterABadRow() {
        final CsvCodec<Tick> codec = CsvCodec.ticks(HEADER, "id");
        assertThrows(IllegalArgumentException.class, () -> CsvRows.decode("X,1,0", codec));

        final Tick tick = CsvRows.decode("X,1,2,K,5,1,2,9", codec);

        assertEquals(new Tick("X", 1, 2, "K", 5, "9", BigDecimal.ONE, new BigDecimal("2")), tick);
    }
}
