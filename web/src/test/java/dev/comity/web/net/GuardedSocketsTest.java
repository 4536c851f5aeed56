package dev.comity.web.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comity.core.url.Authority;
import dev.comity.web.net.ChannelSocket.Peek;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class GuardedSocketsTest {
  private static final InetAddress HERE = InetAddress.ofLiteral("127.0.0.1");

  private ServerSocket listening;
  private ChannelSocket ours;
  private Socket theirs;

  @BeforeEach
  void connect() throws IOException {
    listening = new ServerSocket(0, 1, HERE);
    AddressGuard guard = new AddressGuard(Resolver.SYSTEM, false);
    guard.named(new Authority("http", "127.0.0.1", listening.getLocalPort()));
    ours =
        new GuardedSockets(guard, Optional.empty())
            .connect(HERE, listening.getLocalPort(), Duration.ofSeconds(60));
    theirs = listening.accept();
    theirs.setTcpNoDelay(true);
  }

  @AfterEach
  void close() throws IOException {
    ours.close();
    theirs.close();
    listening.close();
  }

  @Test
  void small_writes_leave_at_once() throws Exception {
    assertThat(ours.getTcpNoDelay()).isTrue();
  }

  @Test
  void a_quiet_connection_is_seen_to_be_quiet_without_waiting_for_it() throws Exception {
    assertThat(ours.look()).isEqualTo(Peek.NOTHING);
    assertThat(ours.look()).isEqualTo(Peek.NOTHING);
  }

  @Test
  void one_that_was_closed_has_an_end_to_read() throws Exception {
    theirs.close();
    awaitSomething();
    assertThat(ours.look()).isEqualTo(Peek.END);
  }

  @Test
  void what_a_look_has_found_is_still_there_to_be_read() throws Exception {
    theirs.getOutputStream().write("ab".getBytes(StandardCharsets.US_ASCII));
    awaitSomething();
    assertThat(ours.look()).isEqualTo(Peek.BYTES);
    assertThat(ours.look()).isEqualTo(Peek.BYTES);
    assertThat(ours.getInputStream().read()).isEqualTo('a');
    assertThat(ours.getInputStream().read()).isEqualTo('b');
    assertThat(ours.look()).isEqualTo(Peek.NOTHING);
  }

  @Test
  void a_read_that_may_not_wait_brings_what_is_there_and_no_more() throws Exception {
    theirs.getOutputStream().write("ab".getBytes(StandardCharsets.US_ASCII));
    awaitSomething();
    byte[] read = new byte[10];
    int count = ours.withoutWaiting(() -> ours.getInputStream().readNBytes(read, 0, 2));
    assertThat(count).isEqualTo(2);
    assertThatThrownBy(() -> ours.withoutWaiting(() -> ours.getInputStream().read(read, 0, 10)))
        .isInstanceOf(SocketTimeoutException.class);
    theirs.getOutputStream().write('c');
    assertThat(ours.getInputStream().read()).isEqualTo('c');
  }

  /** Otherwise a server that sends without end could keep it busy without end. */
  @Test
  void reads_that_may_not_wait_bring_only_so_much() throws Exception {
    Thread flooding = Thread.startVirtualThread(this::flood);
    awaitSomething();
    assertThatThrownBy(() -> ours.withoutWaiting(this::readOn))
        .isInstanceOf(IOException.class)
        .hasMessage("more has come than is read without waiting");
    ours.close();
    flooding.join();
  }

  private void flood() {
    try {
      while (true) {
        theirs.getOutputStream().write(new byte[8192]);
      }
    } catch (IOException _) {
      // The other side has left.
    }
  }

  /** Reads a megabyte if it may. */
  private int readOn() throws IOException {
    byte[] bytes = new byte[100];
    int count = 0;
    while (count < 1 << 20) {
      try {
        count += ours.getInputStream().read(bytes);
      } catch (SocketTimeoutException _) {
        // The machine is busy; there will be more.
      }
    }
    return count;
  }

  @Test
  void a_read_that_may_not_wait_sees_the_end() throws Exception {
    theirs.close();
    awaitSomething();
    int count = ours.withoutWaiting(() -> ours.getInputStream().read());
    assertThat(count).isEqualTo(-1);
  }

  private void awaitSomething() throws IOException {
    while (ours.look() == Peek.NOTHING) {
      Thread.onSpinWait();
    }
  }
}
