package dev.comity.web;

import dev.comity.web.address.ProxyServer;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.util.Optional;
import okhttp3.Authenticator;
import okhttp3.HttpUrl;
import okhttp3.Request;

/**
 * Speaks to an HTTP proxy. It is told who we are with the first request: to wait until it asks
 * would be a second one.
 */
final class HttpProxy {
  private static final String HEADER = "Proxy-Authorization";

  private HttpProxy() {}

  static Proxy of(ProxyServer server) {
    return new Proxy(
        Proxy.Type.HTTP, InetSocketAddress.createUnresolved(server.host(), server.port()));
  }

  /** For tunnels: the client asks before it opens one. Asked again, there is nothing to add. */
  static Authenticator authenticator(Optional<ProxyServer> proxy) {
    return proxy
        .flatMap(ProxyServer::login)
        .<Authenticator>map(
            login ->
                (_, response) ->
                    response.request().header(HEADER) == null
                        ? response
                            .request()
                            .newBuilder()
                            .header(HEADER, HostHeaders.basic(login.name(), login.password()))
                            .build()
                        : null)
        .orElse(Authenticator.NONE);
  }

  /** For requests that the proxy itself reads; in a tunnel they would reach the site. */
  static void introduce(Request.Builder request, HttpUrl target, ProxyServer proxy) {
    if (!target.isHttps()) {
      proxy
          .login()
          .ifPresent(
              login -> request.header(HEADER, HostHeaders.basic(login.name(), login.password())));
    }
  }
}
