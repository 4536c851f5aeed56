package dev.comity;

import dev.comity.core.url.Authority;
import dev.comity.core.url.Seed;
import dev.comity.core.url.UrlRefusal;
import dev.comity.web.net.Certificates;
import dev.comity.web.net.Egress;
import dev.comity.web.net.HostHeaders;
import dev.comity.web.net.Overrides;
import dev.comity.web.net.ProxyServer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** How a crawl's requests leave this machine. No message quotes a password or a header's value. */
final class NetworkTerms {
  private final List<String> resolve = new ArrayList<>();
  private Optional<ProxyServer> proxy = Optional.empty();
  private HostHeaders headers = HostHeaders.NONE;

  void resolve(String hostPortAddress) {
    checked("resolve", () -> Overrides.parse(hostPortAddress));
    resolve.add(hostPortAddress);
  }

  void proxy(String url) {
    proxy = Optional.of(checked("proxy", () -> ProxyServer.parse(url)));
  }

  void header(String site, String name, String value) {
    headers = checked("header", () -> headers.with(authority("header", site), name, value));
  }

  void user(String site, String name, String password) {
    headers = checked("user", () -> headers.withUser(authority("user", site), name, password));
  }

  Overrides overrides() {
    return new Overrides(resolve.stream().map(Overrides::parse).toList());
  }

  Egress egress() {
    return new Egress(proxy, headers, Certificates.VERIFIED);
  }

  /** A bare host means https: a secret is sent in clear only if http is written. */
  private static Authority authority(String call, String site) {
    return switch (Seed.parse(site)) {
      case UrlRefusal refusal -> throw new CrawlRefused(call + ": " + refusal.message());
      case Seed seed -> seed.url().authority();
    };
  }

  private static <T> T checked(String call, Supplier<T> value) {
    try {
      return value.get();
    } catch (IllegalArgumentException wrong) {
      throw new CrawlRefused(call + ": " + wrong.getMessage());
    }
  }
}
