package io.weir.storage.inspect;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** What was found damaged, each damage once. */
final class Damages {
    private final Set<String> messages = new LinkedHashSet<>();
    private int told;

    void add(final RuntimeException damage) {
        told++;
        messages.add(damage.getMessage());
    }

    /** Rises with each damage that is told, also a known one. */
    int told() {
        return told;
    }

    List<String> messages() {
        return new ArrayList<>(messages);
    }
}
