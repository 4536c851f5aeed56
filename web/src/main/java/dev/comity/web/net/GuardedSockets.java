package dev.comity.web.net;

import dev.comity.web.net.ProxyServer.Protocol;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.UnknownHostException;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Opens every connection there is. The guard is asked with the very address that is connected to.
 *
 * <p>A SOCKS5 server in between is told that address. With an HTTP proxy nothing else is connected
 * to, and what it is asked for was admitted before.
 */
public final class GuardedSockets {
  private final AddressGuard guard;
  private final Optional<ProxyServer> proxy;

  public GuardedSockets(AddressGuard guard, Optional<ProxyServer> proxy) {
    this.guard = guard;
    this.proxy = proxy;
  }

  /** The addresses to connect to for this host: its own, or those of the HTTP proxy. */
  public List<InetAddress> resolve(String host, int port) throws UnknownHostException {
    Optional<ProxyServer> server = httpProxy();
    return server.isPresent() ? guard.lookUp(server.get().host()) : guard.resolve(host, port);
  }

  /**
   * A connection to one of the addresses that {@link #resolve} has found, without any delay before
   * small writes.
   *
   * @param port the port of the host that is to be reached
   */
  public ChannelSocket connect(InetAddress address, int port, Duration timeout) throws IOException {
    SocketChannel channel = SocketChannel.open();
    try {
      Socket socket = channel.socket();
      socket.setTcpNoDelay(true);
      int millis = (int) timeout.toMillis();
      if (proxy.isEmpty()) {
        socket.connect(admitted(address, port), millis);
      } else {
        switch (proxy.get().protocol()) {
          case HTTP -> socket.connect(theProxyAlone(address), millis);
          case SOCKS5 -> connectThrough(proxy.get(), socket, admitted(address, port), millis);
        }
      }
      return new ChannelSocket(channel);
    } catch (IOException failed) {
      channel.close();
      throw failed;
    }
  }

  /** Whether a connection to this host can be made; it is closed at once. */
  public boolean reaches(String host, int port, Duration timeout) {
    try {
      connect(resolve(Literals.bare(host), port).getFirst(), port, timeout).close();
      return true;
    } catch (IOException _) {
      return false;
    }
  }

  private Optional<ProxyServer> httpProxy() {
    return proxy.filter(server -> server.protocol() == Protocol.HTTP);
  }

  private InetSocketAddress admitted(InetAddress address, int port) throws AddressRefusal {
    InetSocketAddress endpoint = new InetSocketAddress(address, port);
    guard.admit(endpoint.getHostString(), address, port);
    return endpoint;
  }

  private InetSocketAddress theProxyAlone(InetAddress address) throws IOException {
    ProxyServer server = proxy.orElseThrow();
    if (!guard.lookUp(server.host()).contains(address)) {
      throw new IOException("only the proxy is connected to");
    }
    return new InetSocketAddress(address, server.port());
  }

  private void connectThrough(
      ProxyServer server, Socket socket, InetSocketAddress target, int millis) throws IOException {
    InetAddress address = guard.lookUp(server.host()).getFirst();
    socket.connect(new InetSocketAddress(address, server.port()), millis);
    socket.setSoTimeout(millis);
    Socks5.connect(socket, target, server.login());
    socket.setSoTimeout(0);
  }
}
