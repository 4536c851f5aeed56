package dev.comity.core.url;

import java.net.URI;

/** One URL in normal form. */
public final class CrawlUrl implements ParsedUrl {
  private final URI uri;

  private CrawlUrl(URI uri) {
    this.uri = uri;
  }

  /** Reads an absolute URL. */
  public static ParsedUrl parse(String text) {
    return new CrawlUrl(URI.create(text));
  }

  /**
   * Reads a URL that is known to be good, such as a constant; anything else is the caller's
   * mistake.
   */
  public static CrawlUrl of(String text) {
    return switch (parse(text)) {
      case CrawlUrl url -> url;
      case UrlRefusal refusal -> throw new IllegalArgumentException(refusal.toString());
    };
  }

  /** Reads a reference found on this page. */
  public ParsedUrl resolve(String reference) {
    return new CrawlUrl(uri.resolve(reference));
  }

  /** {@code http} or {@code https}. */
  public String scheme() {
    return uri.getScheme();
  }

  /** The host as it goes on the wire: lower case, ASCII, an IPv6 address in brackets. */
  public String host() {
    return uri.getHost();
  }

  /** The port a connection goes to, the scheme's own when none was written. */
  public int port() {
    return uri.getPort() >= 0 ? uri.getPort() : scheme().equals("https") ? 443 : 80;
  }

  /** The request target: path and, where there is one, {@code ?} and the query. */
  public String target() {
    return uri.getRawQuery() == null
        ? uri.getRawPath()
        : uri.getRawPath() + "?" + uri.getRawQuery();
  }

  /** Scheme, host and port: what a robots.txt speaks for. */
  public Authority authority() {
    return new Authority(scheme(), host(), port());
  }

  /** The domain this URL belongs to when sub-domains are kept apart. */
  public DomainName domain() {
    return new DomainName(host());
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof CrawlUrl that && uri.equals(that.uri);
  }

  @Override
  public int hashCode() {
    return uri.hashCode();
  }

  /** The normal form. */
  @Override
  public String toString() {
    return uri.toString();
  }
}
