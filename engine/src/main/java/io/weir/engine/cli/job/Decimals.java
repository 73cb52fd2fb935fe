package io.weir.engine.cli.job;

import java.math.BigDecimal;
import java.math.RoundingMode;

/** Exact decimals: parsed, divided and printed. */
final class Decimals {
    /** Digits before or after the point that a decimal may have; more is taken for damage. */
    static final int MAX_DIGITS = 1000;

    private Decimals() {}

    /**
     * Reads a decimal.
     *
     * @param text such as {@code -12.50} or {@code 1e-7}.
     * @return its exact value.
     * @throws IllegalArgumentException if it is none; the message quotes it.
     */
    static BigDecimal parse(final String text) {
        final BigDecimal value;
        try {
            value = new BigDecimal(text);
        } catch (final NumberFormatException e) {
            throw new IllegalArgumentException("not a decimal number: '" + text + "'", e);
        }
        if (value.scale() > MAX_DIGITS || (long) value.precision() - value.scale() > MAX_DIGITS) {
            throw new IllegalArgumentException("a decimal of more than " + MAX_DIGITS + " digits: '" + text + "'");
        }
        return value;
    }

    /**
     * Divides, rounding half to even.
     *
     * @param dividend any.
     * @param divisor not zero.
     * @param digits after the point.
     * @return the quotient.
     */
    static BigDecimal divide(final BigDecimal dividend, final BigDecimal divisor, final int digits) {
        return dividend.divide(divisor, digits, RoundingMode.HALF_EVEN);
    }

    /**
     * Prints a decimal exactly, without exponent and trailing zeros.
     *
     * @param value to print.
     * @return for example {@code 0.5}.
     */
    static String print(final BigDecimal value) {
        return value.stripTrailingZeros().toPlainString();
    }
}
