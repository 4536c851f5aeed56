package dev.comity.web.net;

import dev.comity.web.net.ProxyServer.Protocol;
import java.util.Optional;

/**
 * How requests of this crawl leave, beyond what every crawl does.
 *
 * @param proxy who connects for us
 * @param headers what single authorities are told besides
 * @param certificates whose word is taken for it that a server is who it says it is
 */
public record Egress(Optional<ProxyServer> proxy, HostHeaders headers, Certificates certificates) {
  /** Directly, and with nothing for anybody in particular. */
  public static final Egress DIRECT =
      new Egress(Optional.empty(), HostHeaders.NONE, Certificates.VERIFIED);

  /** The proxy, if it is one that looks names up by itself. */
  public Optional<ProxyServer> httpProxy() {
    return proxy.filter(server -> server.protocol() == Protocol.HTTP);
  }
}
