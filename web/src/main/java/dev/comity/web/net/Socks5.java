package dev.comity.web.net;

import dev.comity.web.net.ProxyServer.Login;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.net.ProtocolException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Asks a SOCKS5 server for a connection (RFC 1928, RFC 1929). It is given an address and never a
 * name: the address that was checked is the one that is connected to, though the proxy connects.
 */
final class Socks5 {
  private static final int VERSION = 5;
  private static final int OPEN_TO_ALL = 0;
  private static final int BY_PASSWORD = 2;

  private Socks5() {}

  /** Speaks over a connection to the server; afterwards it is one to the target. */
  static void connect(Socket socket, InetSocketAddress target, Optional<Login> login)
      throws IOException {
    DataInputStream in = new DataInputStream(socket.getInputStream());
    OutputStream out = socket.getOutputStream();
    greet(in, out, login);
    byte[] address = target.getAddress().getAddress();
    byte[] request = new byte[6 + address.length];
    request[0] = VERSION;
    request[1] = 1;
    request[3] = (byte) (address.length == 4 ? 1 : 4);
    System.arraycopy(address, 0, request, 4, address.length);
    request[4 + address.length] = (byte) (target.getPort() >> 8);
    request[5 + address.length] = (byte) target.getPort();
    out.write(request);
    readReply(in);
  }

  private static void greet(DataInputStream in, OutputStream out, Optional<Login> login)
      throws IOException {
    int method = login.isPresent() ? BY_PASSWORD : OPEN_TO_ALL;
    out.write(new byte[] {VERSION, 1, (byte) method});
    if (in.readUnsignedByte() != VERSION || in.readUnsignedByte() != method) {
      throw new ProtocolException("the proxy does not take this log-in");
    }
    if (login.isPresent()) {
      byte[] name = login.get().name().getBytes(StandardCharsets.UTF_8);
      byte[] password = login.get().password().getBytes(StandardCharsets.UTF_8);
      byte[] words = new byte[3 + name.length + password.length];
      words[0] = 1;
      words[1] = (byte) name.length;
      System.arraycopy(name, 0, words, 2, name.length);
      words[2 + name.length] = (byte) password.length;
      System.arraycopy(password, 0, words, 3 + name.length, password.length);
      out.write(words);
      in.readUnsignedByte();
      if (in.readUnsignedByte() != 0) {
        throw new ProtocolException("the proxy does not take this log-in");
      }
    }
  }

  private static void readReply(DataInputStream in) throws IOException {
    if (in.readUnsignedByte() != VERSION) {
      throw new ProtocolException("the proxy does not speak SOCKS5");
    }
    int code = in.readUnsignedByte();
    in.readUnsignedByte();
    int length =
        switch (in.readUnsignedByte()) {
          case 1 -> 4;
          case 3 -> in.readUnsignedByte();
          case 4 -> 16;
          default -> throw new ProtocolException("the proxy does not speak SOCKS5");
        };
    in.skipNBytes(length + 2L);
    switch (code) {
      case 0 -> {}
      case 3, 4 -> throw new NoRouteToHostException("says the proxy");
      default -> throw new ConnectException("says the proxy");
    }
  }
}
