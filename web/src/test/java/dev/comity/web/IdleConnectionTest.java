package dev.comity.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class IdleConnectionTest {
  private ServerSocketChannel listening;
  private SocketChannel ours;
  private SocketChannel theirs;

  /** A socket of which it is told whether anybody waited for it to bring something. */
  private final class Listened extends Socket {
    private int reads;

    @Override
    public SocketChannel getChannel() {
      return ours;
    }

    @Override
    public void setSoTimeout(int timeout) {}

    @Override
    public int getSoTimeout() {
      return 0;
    }

    @Override
    public InputStream getInputStream() throws IOException {
      reads++;
      return ours.socket().getInputStream();
    }
  }

  @BeforeEach
  void connect() throws Exception {
    listening = ServerSocketChannel.open();
    listening.bind(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0));
    ours = SocketChannel.open(listening.getLocalAddress());
    theirs = listening.accept();
  }

  @AfterEach
  void close() throws Exception {
    ours.close();
    theirs.close();
    listening.close();
  }

  @Test
  void a_quiet_connection_is_seen_to_be_quiet_without_waiting_for_it() throws Exception {
    Listened socket = new Listened();
    assertThat(IdleConnection.isReadable(socket)).isFalse();
    assertThat(socket.reads).isZero();
    assertThat(ours.isBlocking()).isTrue();
  }

  @Test
  void one_that_was_closed_has_an_end_to_read() throws Exception {
    theirs.close();
    awaitSomething();
    assertThat(IdleConnection.isReadable(new Listened())).isTrue();
  }

  @Test
  void one_that_brings_what_nobody_asked_for_has_something_to_read() throws Exception {
    theirs.write(ByteBuffer.wrap(new byte[] {'x'}));
    awaitSomething();
    assertThat(IdleConnection.isReadable(new Listened())).isTrue();
  }

  private void awaitSomething() throws Exception {
    ours.configureBlocking(false);
    try (Selector selector = Selector.open()) {
      ours.register(selector, SelectionKey.OP_READ);
      selector.select();
    }
    ours.configureBlocking(true);
  }
}
