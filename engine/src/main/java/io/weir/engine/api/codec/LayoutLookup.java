package io.weir.engine.api.codec;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Finds the layout of a class. */
final class LayoutLookup {
    private LayoutLookup() {}

    /**
     * A new layout.
     *
     * @param type of the values, not a primitive.
     * @param enclosing records that it is being looked up for, outermost first.
     * @return null if there is none.
     */
    @SuppressWarnings({"unchecked", "rawtypes"}) // The constructors check what the compiler cannot.
    static Layout<?> find(final Class<?> type, final List<Class<?>> enclosing) {
        final PrimitiveLayout<?> primitive = PrimitiveLayout.BY_BOX.get(type);
        if (primitive != null) {
            return primitive;
        }
        if (type == String.class) {
            return new Layouts.Text();
        }
        if (type == BigDecimal.class) {
            return new DecimalLayout();
        }
        if (type == Instant.class) {
            return new Layouts.Moment();
        }
        if (type == Duration.class) {
            return new Layouts.Span();
        }
        if (type == byte[].class) {
            return new Layouts.Bytes();
        }
        if (type.isEnum()) {
            return new Layouts.Constant(type);
        }
        return type.isRecord() ? new RecordLayout<>(type, enclosing) : null;
    }
}
