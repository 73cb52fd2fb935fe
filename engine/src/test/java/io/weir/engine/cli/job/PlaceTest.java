package io.weir.engine.cli.job;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PlaceTest {
    @Test
    void shouldOrderByEventTimeThenArrivalThenSubWithoutIds() {
        final List<Place> ordered =
                List.of(new Place(1, "", 9, 9), new Place(2, "", 0, 5), new Place(2, "", 1, 0), new Place(2, "", 1, 1));

        assertEquals(ordered, shuffledAndSorted(ordered));
    }

    @Test
    void shouldOrderByIdBeforeArrivalNumbersAsNumbersAndBeforeText() {
        final List<Place> ordered = List.of(
                new Place(2, "-3", 9, 0),
                new Place(2, "9", 8, 0),
                new Place(2, "10", 7, 0),
                new Place(2, "10.5", 6, 0),
                new Place(2, "1000000000000000000000", 5, 0),
                new Place(2, "a10", 4, 0),
                new Place(2, "a9", 3, 0));

        assertEquals(ordered, shuffledAndSorted(ordered));
    }

    @Test
    void shouldTellApartIdsThatAreTheSameNumber() {
        assertTrue(new Place(2, "01", 0, 0).compareTo(new Place(2, "1", 0, 0)) < 0);
        assertTrue(new Place(2, "1", 0, 0).compareTo(new Place(2, "1.0", 0, 0)) < 0);
    }

    private static List<Place> shuffledAndSorted(final List<Place> places) {
        final List<Place> shuffled = new ArrayList<>(places);
        Collections.shuffle(shuffled, new Random(7));
        Collections.sort(shuffled);
        return shuffled;
    }
}
