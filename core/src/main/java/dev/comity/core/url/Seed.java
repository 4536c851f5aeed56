package dev.comity.core.url;

import dev.comity.core.url.UrlRefusal.Reason;
import java.util.Optional;

/**
 * Where a crawl starts.
 *
 * @param url what is asked first
 * @param fallback what is asked instead, should the first connection to a host that came without a
 *     scheme fail; never once it has worked
 */
public record Seed(CrawlUrl url, Optional<CrawlUrl> fallback) implements ParsedSeed {

  /** Reads a URL or a bare host, for which https is tried before http. */
  public static ParsedSeed parse(String line) {
    return switch (BareHost.read(line, "https")) {
      case UrlRefusal refusal -> refusal;
      case CrawlUrl url when url.domain().isPublicSuffix() ->
          new UrlRefusal(Reason.PUBLIC_SUFFIX, line);
      case CrawlUrl url ->
          BareHost.isBare(line) && BareHost.read(line, "http") instanceof CrawlUrl insecure
              ? either(url, insecure)
              : new Seed(url, Optional.empty());
    };
  }

  private static Seed either(CrawlUrl secure, CrawlUrl insecure) {
    // Each scheme hides its own port only, so two equal ports mean that one was written.
    int port = secure.port();
    boolean written = port == insecure.port();
    if (written && port == 80) {
      return new Seed(insecure, Optional.empty());
    }
    return new Seed(secure, written && port == 443 ? Optional.empty() : Optional.of(insecure));
  }

  /** The domain this seed opens when sub-domains are kept apart. */
  public DomainName domain() {
    return url.domain();
  }
}
