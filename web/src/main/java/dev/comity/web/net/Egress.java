package dev.comity.web.net;

import dev.comity.web.net.ProxyServer.Protocol;
import java.util.Optional;

/**
 * How requests leave this machine.
 *
 * @param proxy connects for us
 * @param headers extra headers of single authorities
 * @param certificates which server certificates are trusted
 */
public record Egress(Optional<ProxyServer> proxy, HostHeaders headers, Certificates certificates) {
  /** Without a proxy and without extra headers. */
  public static final Egress DIRECT =
      new Egress(Optional.empty(), HostHeaders.NONE, Certificates.VERIFIED);

  /** The proxy, if it is one that looks names up by itself. */
  public Optional<ProxyServer> httpProxy() {
    return proxy.filter(server -> server.protocol() == Protocol.HTTP);
  }
}
