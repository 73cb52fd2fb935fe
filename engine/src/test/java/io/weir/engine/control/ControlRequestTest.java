package io.weir.engine.control;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.weir.engine.api.SavepointFormat;
import io.weir.engine.api.StopMode;
import io.weir.engine.control.ControlRequest.Command;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Requests and answers as lines. */
final class ControlRequestTest {
    @Test
    void shouldReadWhatItHasWritten() {
        for (final ControlRequest request : List.of(
                new ControlRequest(Command.STATUS, null, null, null),
                new ControlRequest(Command.CANCEL, null, null, null),
                new ControlRequest(Command.SAVEPOINT, SavepointFormat.CANONICAL, null, null),
                new ControlRequest(Command.SAVEPOINT, SavepointFormat.NATIVE, Path.of("/a b=c/%41/\u00e4\n/+&x"), null),
                new ControlRequest(Command.STOP, null, null, StopMode.DRAIN),
                new ControlRequest(Command.STOP, SavepointFormat.NATIVE, Path.of("/x"), StopMode.SUSPEND))) {
            assertEquals(request, ControlRequest.parse(request.line()));
            assertEquals(1, request.line().lines().count());
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    ''                                  | a request begins with weir/1, not with ''
                    GET / HTTP/1.1                      | a request begins with weir/1, not with 'GET'
                    weir/2 status                       | a request begins with weir/1, not with 'weir/2'
                    weir/1                              | there is no command ''
                    weir/1 explode                      | there is no command 'explode'
                    weir/1 status now                   | status knows no 'now'
                    weir/1 cancel mode=DRAIN            | cancel knows no 'mode'
                    weir/1 savepoint                    | savepoint needs a format
                    weir/1 savepoint format=XML         | format can't be 'XML'
                    weir/1 stop                         | stop needs a mode
                    weir/1 stop mode=DRAIN mode=DRAIN   | mode is given twice
                    weir/1 stop mode=DRAIN directory=/a | a directory needs a format
                    weir/1 savepoint format=NATIVE directory=a   | directory 'a' is not absolute
                    weir/1 savepoint format=NATIVE directory=%00 | directory '?' is no path
                    """)
    void shouldNameWhatIsWrong(final String line, final String why) {
        assertEquals(
                why,
                assertThrows(IllegalArgumentException.class, () -> ControlRequest.parse(line))
                        .getMessage());
    }

    @Test
    void shouldTakeAnAnswerWithoutItsLastLineForNone() {
        final ControlAnswer answer = ControlAnswer.ok(List.of(new JobFact("a b", "c\nd %"), new JobFact("a b", "")));

        assertEquals(answer, ControlAnswer.parse(answer.text()));
        for (int length = 0; length < answer.text().length(); length++) {
            assertNull(ControlAnswer.parse(answer.text().substring(0, length)));
        }
        assertEquals(
                ControlAnswer.error("no: \u00fc\nx"),
                ControlAnswer.parse(ControlAnswer.error("no: \u00fc\nx").text()));
    }
}
