package dev.comity.web.http;

import dev.comity.web.http.FetchProgress.Phase;
import dev.comity.web.http.Http1Connection.Endpoint;
import dev.comity.web.net.GuardedSockets;
import dev.comity.web.net.Tls;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.List;
import java.util.Optional;

/** Makes connections: to an address, through the proxy if there is one, with TLS if it is asked. */
final class Http1Dialer {
  private final FetchSettings settings;
  private final GuardedSockets sockets;
  private final Optional<HttpProxy> proxy;
  private final Tls tls;

  Http1Dialer(FetchSettings settings, GuardedSockets sockets, Optional<HttpProxy> proxy, Tls tls) {
    this.settings = settings;
    this.sockets = sockets;
    this.proxy = proxy;
    this.tls = tls;
  }

  /** Connects, one address after the other. */
  Http1Connection dial(Endpoint endpoint, FetchProgress progress) throws IOException {
    return new Http1Connection(endpoint, connected(endpoint, progress));
  }

  /** What comes between the connection and the first request. */
  void prepare(Http1Connection connection, FetchProgress progress) throws IOException {
    Endpoint endpoint = connection.endpoint();
    if (!endpoint.secure()) {
      return;
    }
    if (proxy.isPresent()) {
      connection.allow(settings.connect(), progress.deadline(settings.total()));
      proxy.get().openTunnel(connection, endpoint);
    }
    progress.enter(Phase.SECURING);
    connection.allow(progress.patience(), progress.deadline(settings.total()));
    connection.secure(tls);
  }

  private Socket connected(Endpoint endpoint, FetchProgress progress) throws IOException {
    progress.enter(Phase.RESOLVING);
    List<InetAddress> addresses = sockets.resolve(endpoint.host(), endpoint.port());
    progress.enter(Phase.CONNECTING);
    IOException failure = new IOException("no address to connect to");
    for (InetAddress address : addresses) {
      try {
        return sockets.connect(address, endpoint.port(), settings.connect());
      } catch (IOException failed) {
        failure = failed;
      }
    }
    throw failure;
  }
}
