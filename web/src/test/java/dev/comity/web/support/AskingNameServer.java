package dev.comity.web.support;

import dev.comity.testkit.wire.NameServer;
import dev.comity.web.net.Resolver;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Asks a name server of the test's own for IPv4 addresses, each time anew. It reads no more of RFC
 * 1035 than that server writes; the product goes by the system's resolver.
 */
public final class AskingNameServer implements Resolver {
  private static final short ID = 0x1234;

  private final NameServer server;

  public AskingNameServer(NameServer server) {
    this.server = server;
  }

  @Override
  public List<InetAddress> resolve(String host) throws UnknownHostException {
    try (DatagramSocket socket = new DatagramSocket()) {
      byte[] query = query(host);
      // The bound only keeps a broken test from hanging.
      socket.setSoTimeout(60_000);
      socket.send(
          new DatagramPacket(
              query, query.length, InetAddress.ofLiteral("127.0.0.1"), server.port()));
      DatagramPacket reply = new DatagramPacket(new byte[1500], 1500);
      socket.receive(reply);
      return addresses(host, ByteBuffer.wrap(reply.getData(), 0, reply.getLength()), query.length);
    } catch (UnknownHostException none) {
      throw none;
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  private static byte[] query(String host) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeShort(ID);
    out.writeShort(0x0100);
    out.writeShort(1);
    out.write(new byte[6]);
    for (String label : host.toLowerCase(Locale.ROOT).split("\\.", -1)) {
      out.writeByte(label.length());
      out.write(label.getBytes(StandardCharsets.US_ASCII));
    }
    out.writeByte(0);
    out.writeShort(1);
    out.writeShort(1);
    return bytes.toByteArray();
  }

  private static List<InetAddress> addresses(String host, ByteBuffer reply, int question)
      throws UnknownHostException {
    int answers = reply.getShort(6);
    if (reply.getShort(0) != ID || (reply.getShort(2) & 0xf) != 0 || answers == 0) {
      throw new UnknownHostException(host);
    }
    reply.position(question);
    List<InetAddress> addresses = new ArrayList<>();
    for (int answer = 0; answer < answers; answer++) {
      reply.position(reply.position() + 10);
      byte[] address = new byte[reply.getShort()];
      reply.get(address);
      addresses.add(InetAddress.getByAddress(address));
    }
    return addresses;
  }
}
