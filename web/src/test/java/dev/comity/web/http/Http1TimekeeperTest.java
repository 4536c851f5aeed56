package dev.comity.web.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.comity.web.http.Http1Connection.Endpoint;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class Http1TimekeeperTest {
  private static final Duration SHORT = Duration.ofMillis(50);
  private static final Duration LONG = Duration.ofSeconds(60);

  private final List<Thread> threads = new ArrayList<>();
  private final Http1Timekeeper timekeeper =
      new Http1Timekeeper(
          work -> {
            threads.add(Thread.ofPlatform().daemon().unstarted(work));
            return threads.getLast();
          });
  private ServerSocket server;
  private Socket other;
  private Http1Connection connection;

  @BeforeEach
  void connect() throws IOException {
    server = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"));
    Endpoint endpoint = new Endpoint("127.0.0.1", server.getLocalPort());
    connection = new Http1Connection(endpoint, new Socket(endpoint.host(), endpoint.port()));
    other = server.accept();
  }

  @AfterEach
  void disconnect() throws IOException {
    timekeeper.close();
    connection.close();
    other.close();
    server.close();
  }

  private Throwable failure() {
    return catchThrowable(() -> connection.read(new byte[10], 0, 10));
  }

  private static long soon() {
    return System.nanoTime() + SHORT.toNanos();
  }

  private static long muchLater() {
    return System.nanoTime() + LONG.toNanos();
  }

  @Test
  void a_pause_that_is_too_long_ends_the_read_and_the_connection() throws Exception {
    timekeeper.watch(connection);
    connection.allow(SHORT, muchLater());
    assertThat(failure()).isInstanceOf(SocketTimeoutException.class);
    assertThat(other.getInputStream().read()).isEqualTo(-1);
  }

  @Test
  void the_deadline_ends_a_read_as_such() {
    timekeeper.watch(connection);
    connection.allow(LONG, soon());
    assertThat(failure())
        .isExactlyInstanceOf(InterruptedIOException.class)
        .hasMessage("the whole took too long");
  }

  @Test
  void after_the_deadline_nothing_is_read() throws Exception {
    other.getOutputStream().write('x');
    connection.allow(LONG, System.nanoTime() - 1);
    assertThat(failure()).isExactlyInstanceOf(InterruptedIOException.class);
  }

  @Test
  void a_read_on_a_virtual_thread_ends_too() throws Exception {
    timekeeper.watch(connection);
    connection.allow(SHORT, muchLater());
    CompletableFuture<Throwable> failure = new CompletableFuture<>();
    Thread.startVirtualThread(() -> failure.complete(failure()));
    assertThat(failure.get()).isInstanceOf(SocketTimeoutException.class);
  }

  @Test
  void what_came_when_it_was_overdue_is_late() throws Exception {
    // It is there, but another has found the read overdue before it was seen.
    Http1Connection[] overdue = new Http1Connection[1];
    Socket socket =
        new Socket() {
          @Override
          public InputStream getInputStream() {
            return new InputStream() {
              @Override
              public int read() {
                return -1;
              }

              @Override
              public int read(byte[] into, int offset, int most) {
                assertThat(overdue[0].isOverdue(muchLater())).isTrue();
                return 1;
              }
            };
          }

          @Override
          public OutputStream getOutputStream() {
            return OutputStream.nullOutputStream();
          }
        };
    overdue[0] = new Http1Connection(connection.endpoint(), socket);
    overdue[0].allow(SHORT, muchLater());
    assertThat(catchThrowable(() -> overdue[0].read(new byte[10], 0, 10)))
        .isInstanceOf(SocketTimeoutException.class);
  }

  @Test
  void what_breaks_by_itself_is_no_time_out() throws Exception {
    timekeeper.watch(connection);
    connection.allow(LONG, muchLater());
    other.setSoLinger(true, 0);
    other.close();
    assertThat(failure())
        .isInstanceOf(SocketException.class)
        .isNotInstanceOf(InterruptedIOException.class);
  }

  @Test
  void between_reads_a_connection_is_never_overdue() throws Exception {
    timekeeper.watch(connection);
    connection.allow(LONG, muchLater());
    other.getOutputStream().write("xy".getBytes(StandardCharsets.US_ASCII));
    assertThat(connection.read(new byte[10], 0, 10)).isPositive();
    assertThat(connection.isOverdue(muchLater() + LONG.toNanos())).isFalse();
  }

  @Test
  void the_second_time_something_is_in_use_it_is_looked_after_as_well() throws Exception {
    timekeeper.watch(connection);
    awaitState(Thread.State.TIMED_WAITING);
    timekeeper.leave(connection);
    awaitState(Thread.State.WAITING);
    timekeeper.watch(connection);
    connection.allow(SHORT, muchLater());
    assertThat(failure()).isInstanceOf(SocketTimeoutException.class);
    assertThat(threads).hasSize(1);
  }

  private void awaitState(Thread.State state) {
    while (threads.getFirst().getState() != state) {
      Thread.onSpinWait();
    }
  }

  @Test
  void its_thread_ends_with_it() throws Exception {
    timekeeper.watch(connection);
    timekeeper.leave(connection);
    timekeeper.close();
    assertThat(threads.getFirst().join(LONG)).isTrue();
  }

  @Test
  void who_reads_on_after_its_end_is_looked_after_to_the_end() throws Exception {
    timekeeper.close();
    timekeeper.watch(connection);
    connection.allow(SHORT, muchLater());
    assertThat(failure()).isInstanceOf(SocketTimeoutException.class);
    timekeeper.leave(connection);
    assertThat(threads.getFirst().join(LONG)).isTrue();
  }

  @Test
  void nothing_is_begun_before_there_is_something_to_read() {
    assertThat(threads).isEmpty();
  }
}
