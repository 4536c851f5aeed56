package dev.comity.web.http;

import dev.comity.web.http.Http1Connection.Endpoint;
import dev.comity.web.net.HostHeaders;
import dev.comity.web.net.ProxyServer;
import java.io.IOException;
import java.net.ProtocolException;
import java.nio.charset.StandardCharsets;

/**
 * Speaks to an HTTP proxy. It is given the log-in with the first request: to wait until it asks
 * would be a second one.
 */
final class HttpProxy {
  static final int LOG_IN_REFUSED = 407;

  private final ProxyServer server;
  private final UserAgent userAgent;

  HttpProxy(ProxyServer server, UserAgent userAgent) {
    this.server = server;
    this.userAgent = userAgent;
  }

  /** The proxy did not open a tunnel. */
  static final class ProxyRefusal extends IOException {
    private final int status;

    ProxyRefusal(int status) {
      this.status = status;
    }

    String words() {
      return status == LOG_IN_REFUSED
          ? "the proxy wants another log-in"
          : "the proxy opened no tunnel: status " + status;
    }
  }

  /** The header line with the log-in, for requests that the proxy itself reads, or nothing. */
  String loginLine() {
    return server
        .login()
        .map(login -> HostHeaders.basic(login.name(), login.password()))
        .map(value -> "Proxy-Authorization: " + value + "\r\n")
        .orElse("");
  }

  /** Has the proxy connect to this endpoint; what is sent afterwards goes there. */
  void openTunnel(Http1Connection connection, Endpoint endpoint) throws IOException {
    String to = endpoint.host() + ":" + endpoint.port();
    String request =
        ("CONNECT " + to + " HTTP/1.1\r\nHost: " + to + "\r\nUser-Agent: ")
            + (userAgent.header() + "\r\n" + loginLine() + "\r\n");
    connection.send(request.getBytes(StandardCharsets.ISO_8859_1));
    int status = Http1Head.read(connection).code();
    if (status < 200 || status > 299) {
      throw new ProxyRefusal(status);
    }
    if (connection.hasLeftovers()) {
      throw new ProtocolException("bytes before the first of the tunnel");
    }
  }
}
