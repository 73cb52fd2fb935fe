package io.weir.engine.control;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.weir.engine.api.SavepointFormat;
import io.weir.engine.api.StopMode;
import io.weir.engine.status.JobState;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a job answers over its socket, and that no client can harm it or another client. */
final class JobControlTest {
    private static final long NO_LIMIT_NS = TimeUnit.HOURS.toNanos(1);
    private static final long DEADLINE_NS = TimeUnit.SECONDS.toNanos(30);

    @TempDir
    private Path folder;

    private final FakeJob job = new FakeJob();
    private JobControl control;

    @AfterEach
    void tearDown() {
        if (control != null) {
            control.close();
        }
    }

    private JobClient serve() {
        return serve(NO_LIMIT_NS);
    }

    private JobClient serve(final long timeLimitNs) {
        control = JobControl.open(folder, job, timeLimitNs);
        return JobControl.connect(folder);
    }

    private SocketChannel dial() throws IOException {
        return SocketChannel.open(UnixDomainSocketAddress.of(ControlSocket.find(folder)));
    }

    private static String readAll(final SocketChannel channel) throws IOException {
        return new String(Channels.newInputStream(channel).readAllBytes(), UTF_8);
    }

    private static void await(final String what, final BooleanSupplier condition) {
        final long deadlineNs = System.nanoTime() + DEADLINE_NS;
        while (!condition.getAsBoolean()) {
            assertTrue(System.nanoTime() - deadlineNs < 0, () -> "waited in vain for " + what);
            LockSupport.parkNanos(1_000_000);
        }
    }

    private static String failure(final CompletableFuture<?> asked) {
        return assertThrows(CompletionException.class, asked::join).getCause().getMessage();
    }

    @Test
    void shouldTellTheStatus() {
        final List<JobFact> facts = serve().status();

        assertEquals(new JobFact("job", "fake job"), facts.get(0));
        assertEquals(new JobFact("state", "RUNNING"), facts.get(1));
        assertTrue(
                facts.containsAll(List.of(
                        new JobFact("attempt", "3"),
                        new JobFact("restarts", "1"),
                        new JobFact(
                                "restart",
                                "attempt=2 restored-checkpoint=5 downtime-ms=42 cause=task m\u00fcll = a\nsecond line"),
                        new JobFact("checkpoints-completed", "9"),
                        new JobFact("checkpoints-failed", "1"),
                        new JobFact("checkpoint-failed-last", "TASK_DECLINED"),
                        new JobFact("checkpoint-last", "8"),
                        new JobFact("counter", "rows/records=12"))),
                facts::toString);
    }

    @Test
    void shouldAnswerOnceTheSavepointIsThereAndOthersMeanwhile() {
        final JobClient client = serve();
        final CompletableFuture<Path> first =
                CompletableFuture.supplyAsync(() -> client.savepoint(null, SavepointFormat.NATIVE));
        final CompletableFuture<Path> second = CompletableFuture.supplyAsync(
                () -> client.stopWithSavepoint(folder.resolve("a b"), SavepointFormat.CANONICAL, StopMode.DRAIN));
        await("both requests", () -> job.asked.size() == 2);

        assertFalse(client.status().isEmpty());
        assertFalse(first.isDone() || second.isDone());
        assertTrue(
                job.asked.containsAll(
                        List.of("savepoint null NATIVE", "stop " + folder.resolve("a b") + " CANONICAL DRAIN")),
                job.asked::toString);
        job.savepoint.complete(Path.of("/some where/savepoint-1"));

        assertEquals(Path.of("/some where/savepoint-1"), first.join());
        assertEquals(Path.of("/some where/savepoint-1"), second.join());
    }

    @Test
    void shouldTellWhyNothingCameOfASavepoint() {
        final JobClient client = serve();
        job.savepoint.completeExceptionally(new IllegalStateException("the disk is full:\n no space"));

        final ControlException e =
                assertThrows(ControlException.class, () -> client.savepoint(null, SavepointFormat.CANONICAL));

        assertEquals("the disk is full: no space", e.getMessage());
    }

    @Test
    void shouldWaitForTheEndOfAStop() {
        final JobClient client = serve();
        final CompletableFuture<JobState> first = CompletableFuture.supplyAsync(() -> client.stop(StopMode.SUSPEND));
        final CompletableFuture<JobState> second = CompletableFuture.supplyAsync(() -> client.stop(StopMode.SUSPEND));
        await("both requests", () -> job.asked.size() == 2);
        assertFalse(client.status().isEmpty());
        assertFalse(first.isDone() || second.isDone());

        job.state = JobState.STOPPED;

        assertEquals(JobState.STOPPED, first.join());
        assertEquals(JobState.STOPPED, second.join());
        assertEquals(
                "the job has ended already: STOPPED",
                assertThrows(ControlException.class, () -> client.stop(StopMode.SUSPEND))
                        .getMessage());
    }

    @Test
    void shouldTellThatAStopCameToNothing() {
        final JobClient client = serve();
        final CompletableFuture<JobState> stop = CompletableFuture.supplyAsync(() -> client.stop(StopMode.SUSPEND));
        await("the request", () -> job.asked.size() == 1);

        job.hasStopFailed = true;

        assertEquals("the job goes on: its last checkpoint came to nothing: TASK_DECLINED", failure(stop));
        job.state = JobState.FAILED;
        assertEquals(
                "the job has ended already: FAILED",
                assertThrows(ControlException.class, () -> client.stop(StopMode.SUSPEND))
                        .getMessage());
    }

    @Test
    void shouldCancel() {
        assertEquals(JobState.CANCELLED, serve().cancel());
        assertEquals(List.of("cancel"), List.copyOf(job.asked));
    }

    @ParameterizedTest
    @ValueSource(strings = {"\n", "garbage\n", "weir/1 stop\n", "GET / HTTP/1.1\r\n\r\n", "\u0000\u0001\uffff\n"})
    void shouldAnswerGarbageWithOneErrorLine(final String garbage) throws IOException {
        final JobClient client = serve();
        try (SocketChannel channel = dial()) {
            channel.write(ByteBuffer.wrap(garbage.getBytes(UTF_8)));

            final String answer = readAll(channel);

            assertTrue(answer.startsWith("error ") && answer.endsWith("\n"), answer);
            assertEquals(1, answer.lines().count(), answer);
        }
        assertEquals(List.of(), List.copyOf(job.asked));
        assertFalse(client.status().isEmpty());
    }

    @Test
    void shouldRefuseARequestWithoutEnd() throws IOException {
        final JobClient client = serve();
        try (SocketChannel channel = dial()) {
            final ByteBuffer bytes = ByteBuffer.allocate(ControlRequest.MAX_LENGTH);
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }

            assertEquals(
                    ControlAnswer.error("a request has at most " + ControlRequest.MAX_LENGTH + " bytes"),
                    ControlAnswer.parse(readAll(channel)));
        }
        assertFalse(client.status().isEmpty());
    }

    @Test
    void shouldTakeARequestInPiecesAndRefuseOneThatIsCut() throws IOException {
        serve();
        try (SocketChannel channel = dial()) {
            for (final byte each : "weir/1 cancel".getBytes(UTF_8)) {
                channel.write(ByteBuffer.wrap(new byte[] {each}));
            }
            assertEquals(List.of(), List.copyOf(job.asked));
            channel.write(ByteBuffer.wrap(new byte[] {'\n'}));
            assertEquals(ControlAnswer.ok("state", JobState.CANCELLED), ControlAnswer.parse(readAll(channel)));
        }
        try (SocketChannel channel = dial()) {
            channel.write(ByteBuffer.wrap("weir/1 savepoint format=NATIVE".getBytes(UTF_8)));
            channel.shutdownOutput();
            assertEquals("", readAll(channel));
        }
        assertEquals(List.of("cancel"), List.copyOf(job.asked));
    }

    @Test
    void shouldNotWaitForClientsThatSayNothing() throws IOException {
        final JobClient client = serve();
        try (SocketChannel silent = dial();
                SocketChannel alsoSilent = dial()) {
            silent.write(ByteBuffer.wrap(new byte[] {'w'}));
            assertFalse(client.status().isEmpty());
            assertTrue(alsoSilent.isConnected());
        }
        assertFalse(client.status().isEmpty());
    }

    @Test
    void shouldSendAwayAClientThatSaysNothingInTime() throws IOException {
        serve(1);
        try (SocketChannel silent = dial()) {
            assertEquals(ControlAnswer.error("no request came in time"), ControlAnswer.parse(readAll(silent)));
        }
    }

    @Test
    void shouldGoOnWithWhatAClientHasBegunThatIsGoneAndKnowWhatCameOfIt() throws IOException {
        final JobClient client = serve();
        try (SocketChannel channel = dial()) {
            channel.write(ByteBuffer.wrap("weir/1 stop mode=DRAIN format=NATIVE\n".getBytes(UTF_8)));
            await("the request", () -> job.asked.size() == 1);
        }
        assertFalse(client.status().isEmpty());
        assertNull(control.stopOutcome());
        job.state = JobState.STOPPED;
        job.savepoint.complete(folder);

        control.close();

        assertEquals(new StopOutcome(StopMode.DRAIN, folder), control.stopOutcome());
    }

    @Test
    void shouldLetNobodyElseLookIn() throws IOException {
        Files.createDirectory(
                folder.resolve("control"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxrwxrwx")));
        serve();

        assertEquals("rwx------", mode(folder.resolve("control")));
        assertEquals("rw-------", mode(folder.resolve("control/socket")));
    }

    private static String mode(final Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    @Test
    void shouldServeOneJobAtATimeAndReplaceWhatADeadProcessLeft() throws IOException {
        serve();
        final ControlException e = assertThrows(ControlException.class, () -> JobControl.open(folder, job, 1));
        assertEquals("the job of " + folder + " is served already", e.getMessage());
        assertFalse(JobControl.connect(folder).status().isEmpty());
        control.close();
        assertFalse(Files.exists(folder.resolve("control/socket")));

        try (ServerSocketChannel dead = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            dead.bind(UnixDomainSocketAddress.of(folder.resolve("control/socket")));
        }
        assertEquals(
                "no job runs in " + folder + ": its process has ended",
                assertThrows(
                                ControlException.class,
                                () -> JobControl.connect(folder).status())
                        .getMessage());
        assertFalse(serve().status().isEmpty());
    }

    @Test
    void shouldUseAShortPathElsewhereWhereItsOwnIsTooLong() throws IOException {
        final Path deep =
                Files.createDirectories(folder.resolve("d\u00e4".repeat(40)).resolve("e".repeat(100)));
        final Path first;
        try (JobControl served = JobControl.open(deep, job, NO_LIMIT_NS)) {
            assertFalse(JobControl.connect(deep).status().isEmpty());
            first = ControlSocket.find(deep);
            assertEquals("rwx------", mode(first.getParent()));
            assertEquals("rw-------", mode(first));
            assertNotNull(served);
        }
        assertFalse(Files.exists(first.getParent()));

        // A process that died left them.
        final Path left = Files.createDirectory(first.getParent());
        Files.createFile(left.resolve("socket"));
        Files.writeString(deep.resolve("control/path"), left.resolve("socket").toString());
        try (JobControl served = JobControl.open(deep, job, NO_LIMIT_NS)) {
            assertFalse(JobControl.connect(deep).status().isEmpty());
            assertFalse(Files.exists(left));
            assertNotNull(served);
        }
        assertFalse(Files.exists(deep.resolve("control/path")));
    }

    @Test
    void shouldNameWhatCanNotBeServedOrAsked() throws IOException {
        final Path file = Files.createFile(folder.resolve("file"));
        final Path nowhere = folder.resolve("nowhere");

        assertEquals(
                "the job of " + nowhere + " can't be served: there is no " + nowhere,
                assertThrows(ControlException.class, () -> JobControl.open(nowhere, job, 1))
                        .getMessage());
        assertTrue(assertThrows(ControlException.class, () -> JobControl.open(file, job, 1))
                .getMessage()
                .startsWith("the job of " + file + " can't be served: "));
        assertEquals(
                "there is no folder " + nowhere,
                assertThrows(ControlException.class, () -> JobControl.connect(nowhere))
                        .getMessage());
        assertEquals(
                file + " is not a folder",
                assertThrows(ControlException.class, () -> JobControl.connect(file))
                        .getMessage());
        assertEquals(
                "no job runs in " + folder + ": there is no socket "
                        + folder.toRealPath().resolve("control/socket"),
                assertThrows(
                                ControlException.class,
                                () -> JobControl.connect(folder).status())
                        .getMessage());
        Files.createFile(folder.resolve("control"));
        assertTrue(assertThrows(ControlException.class, () -> JobControl.open(folder, job, 1))
                .getMessage()
                .endsWith("control is in the way"));
    }

    @Test
    void shouldGiveTheLastAnswersOfAJobThatHasEndedWhenItIsClosed() {
        final JobClient client = serve();
        final CompletableFuture<Path> stop = CompletableFuture.supplyAsync(
                () -> client.stopWithSavepoint(null, SavepointFormat.NATIVE, StopMode.SUSPEND));
        await("the request", () -> job.asked.size() == 1);
        job.state = JobState.STOPPED;
        final CompletableFuture<Void> closed = CompletableFuture.runAsync(control::close);
        job.savepoint.complete(folder);

        assertEquals(folder, stop.join());
        closed.join();
        assertEquals(new StopOutcome(StopMode.SUSPEND, folder), control.stopOutcome());
    }

    @Test
    void shouldNotWaitForAJobThatGoesOnWhenItIsClosed() {
        final JobClient client = serve();
        final CompletableFuture<Path> savepoint =
                CompletableFuture.supplyAsync(() -> client.savepoint(null, SavepointFormat.NATIVE));
        await("the request", () -> job.asked.size() == 1);

        control.close();

        assertEquals("the job is not served any more; what was asked for may go on", failure(savepoint));
    }

    @Test
    void shouldSayThatTheProcessEndedBeforeItAnswered() throws IOException {
        Files.createDirectory(folder.resolve("control"));
        try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            server.bind(UnixDomainSocketAddress.of(folder.resolve("control/socket")));
            final CompletableFuture<JobState> stop = CompletableFuture.supplyAsync(
                    () -> JobControl.connect(folder).stop(StopMode.SUSPEND));
            try (SocketChannel client = server.accept()) {
                assertTrue(client.read(ByteBuffer.allocate(100)) > 0);
                client.write(ByteBuffer.wrap("= state STOP".getBytes(UTF_8)));
            }
            assertEquals("the process of the job in " + folder + " ended before it answered", failure(stop));
        }
    }
}
