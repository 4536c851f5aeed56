package dev.comity.testkit.wire;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A name server on loopback that changes its mind when told to: each question for a name gets the
 * next of its answers, the last one for good. Names it was not told of do not exist.
 *
 * {@snippet :
 * try (var names = NameServer.open().answering("rebinding.example", "192.0.2.1", "127.0.0.1")) {
 *   // first the public address, then the private one
 * }
 * }
 */
public final class NameServer implements AutoCloseable {
  private static final int NO_SUCH_NAME = 3;
  private static final int HEADER = 12;

  private final DatagramSocket socket;
  private final Map<String, Deque<List<InetAddress>>> answers = new ConcurrentHashMap<>();
  private final List<String> questions = new CopyOnWriteArrayList<>();

  private NameServer(DatagramSocket socket) {
    this.socket = socket;
  }

  /** Starts one that knows no name yet. */
  public static NameServer open() {
    try {
      NameServer server =
          new NameServer(
              new DatagramSocket(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0)));
      Thread.ofVirtual().name("name-server").start(server::serve);
      return server;
    } catch (IOException noPort) {
      throw new UncheckedIOException(noPort);
    }
  }

  /** The next answer for this name, all its addresses at once, separated by blanks. */
  public NameServer answering(String name, String... each) {
    Deque<List<InetAddress>> queue =
        answers.computeIfAbsent(name.toLowerCase(Locale.ROOT), _ -> new ArrayDeque<>());
    synchronized (queue) {
      for (String addresses : each) {
        queue.add(Arrays.stream(addresses.split(" ")).map(InetAddress::ofLiteral).toList());
      }
    }
    return this;
  }

  /** The port it listens on. */
  public int port() {
    return socket.getLocalPort();
  }

  /** The names it was asked for, in order of arrival; asking for IPv4 and IPv6 counts twice. */
  public List<String> questions() {
    return List.copyOf(questions);
  }

  @Override
  public void close() {
    socket.close();
  }

  private void serve() {
    byte[] buffer = new byte[1500];
    while (true) {
      DatagramPacket packet = new DatagramPacket(buffer, buffer.length);
      try {
        socket.receive(packet);
        byte[] reply = reply(Arrays.copyOf(buffer, packet.getLength()));
        socket.send(new DatagramPacket(reply, reply.length, packet.getSocketAddress()));
      } catch (IOException closed) {
        return;
      }
    }
  }

  /** RFC 1035, as much of it as one question needs. */
  private byte[] reply(byte[] query) throws IOException {
    StringBuilder name = new StringBuilder();
    int at = HEADER;
    while (query[at] != 0) {
      name.append(name.isEmpty() ? "" : ".")
          .append(new String(query, at + 1, query[at], StandardCharsets.US_ASCII));
      at += 1 + query[at];
    }
    int end = at + 5;
    int type = query[at + 2];
    String host = name.toString().toLowerCase(Locale.ROOT);
    questions.add(host);
    List<InetAddress> all = next(host);
    List<byte[]> wanted =
        all.stream()
            .map(InetAddress::getAddress)
            .filter(
                address ->
                    (type == 1 && address.length == 4) || (type == 28 && address.length == 16))
            .toList();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.write(query, 0, 2);
    out.writeShort(0x8180 | (all.isEmpty() ? NO_SUCH_NAME : 0));
    out.writeShort(1);
    out.writeShort(wanted.size());
    out.writeInt(0);
    out.write(query, HEADER, end - HEADER);
    for (byte[] address : wanted) {
      out.writeShort(0xc000 | HEADER);
      out.writeShort(type);
      out.writeShort(1);
      out.writeInt(0);
      out.writeShort(address.length);
      out.write(address);
    }
    return bytes.toByteArray();
  }

  private List<InetAddress> next(String host) {
    Deque<List<InetAddress>> queue = answers.getOrDefault(host, new ArrayDeque<>());
    synchronized (queue) {
      List<InetAddress> first = queue.peek();
      if (queue.size() > 1) {
        queue.remove();
      }
      return first == null ? List.of() : first;
    }
  }
}
