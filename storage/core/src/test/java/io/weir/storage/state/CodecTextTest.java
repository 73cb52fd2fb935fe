package io.weir.storage.state;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

final class CodecTextTest {
    @Test
    void shouldTakeTextsApartAndPutThemTogether() {
        check("long", "", "long", 1, "", "");
        check("Trade@2(symbol:string,price:long)", "", "Trade", 2, "(symbol:string,price:long)", "");
        check("(slot:int)Trade@12(leg:Leg(x:int))", "(slot:int)", "Trade", 12, "(leg:Leg(x:int))", "");
        check("ttl((slot:int)long@3)", "ttl((slot:int)", "long", 3, "", ")");
        check("ttl(Trade(x:int))", "ttl(", "Trade", 1, "(x:int)", ")");
        check("(key:Trade@2(x:int))string", "(key:Trade@2(x:int))", "string", 1, "", "");
        check("position:long", "", "position:long", 1, "", "");
        check("(newest:long,read:long)", "", "", 1, "(newest:long,read:long)", "");
        check("a@0", "", "a@0", 1, "", "");
        check("", "", "", 1, "", "");
        check("ttl(", "", "ttl", 1, "(", "");
        check("(((", "", "", 1, "(((", "");
    }

    private static void check(
            final String text,
            final String before,
            final String id,
            final int version,
            final String layout,
            final String after) {
        final CodecText parsed = CodecText.parse(text);
        assertEquals(new CodecText(before, id, version, layout, after), parsed);
        assertEquals(text, parsed.toString());
    }

    @Test
    void shouldWriteVersionsButTheFirst() {
        assertEquals("Trade(x:int)", CodecText.of("Trade(x:int)", 1));
        assertEquals("Trade@2(x:int)", CodecText.of("Trade(x:int)", 2));
        assertEquals("trade@7", CodecText.of("trade", 7));
        assertThrows(IllegalArgumentException.class, () -> CodecText.of("trade", 0));
        assertThrows(IllegalArgumentException.class, () -> CodecText.of("trade@2", 1));
    }

    @Test
    void shouldTellVersionsOfOneCodecFromOthers() {
        final CodecText text = CodecText.parse("ttl(Trade@2(x:int))");

        assertTrue(CodecText.parse("ttl(Trade(y:int))").isVersionOf(text));
        assertFalse(CodecText.parse("Trade(x:int)").isVersionOf(text));
        assertFalse(CodecText.parse("ttl(Deal@2(x:int))").isVersionOf(text));
    }
}
