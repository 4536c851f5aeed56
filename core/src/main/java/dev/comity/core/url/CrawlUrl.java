package dev.comity.core.url;

import org.jspecify.annotations.Nullable;

/**
 * One URL in normal form: read as browsers read it, written as RFC 3986 spells it most strictly, so
 * that one page has one URL. It is ASCII, at most 32,768 characters long, has a host, and neither
 * user info nor a fragment.
 *
 * <p>A crawl holds a great many of these, so each is its text and where the parts of it are. Nearly
 * every one is asked for its domain or authority, several times; what it shares with others in that
 * it finds once, or has from the page it was found on.
 */
public final class CrawlUrl implements ParsedUrl {
  private final String text;
  private final short hostEnd;
  private final char port;

  /** Whichever thread finds it: the others would find the same. */
  private @Nullable AuthorityDomain site;

  /** The text is in normal form and its host ends there. */
  CrawlUrl(String text, int hostEnd, int port) {
    this.text = text;
    this.hostEnd = (short) hostEnd;
    this.port = (char) port;
  }

  /** Reads an absolute URL. */
  public static ParsedUrl parse(String text) {
    return PlainReader.read(text);
  }

  /**
   * Reads a URL that is known to be good, such as a constant; anything else is the caller's
   * mistake.
   */
  public static CrawlUrl of(String text) {
    return switch (parse(text)) {
      case CrawlUrl url -> url;
      case UrlRefusal refusal -> throw new IllegalArgumentException(refusal.message());
    };
  }

  /** Reads a reference found on this page. */
  public ParsedUrl resolve(String reference) {
    return PlainReader.resolve(this, reference);
  }

  /** {@code http} or {@code https}. */
  public String scheme() {
    return isHttps() ? "https" : "http";
  }

  /** The host as it goes on the wire: lower case, ASCII, an IPv6 address in brackets. */
  public String host() {
    return text.substring(hostStart(), hostEnd);
  }

  boolean hasHost(String host) {
    int start = hostStart();
    return hostEnd - start == host.length() && text.startsWith(host, start);
  }

  int hostHash() {
    int hash = 0;
    for (int i = hostStart(); i < hostEnd; i++) {
      hash = 31 * hash + text.charAt(i);
    }
    return hash ^ (hash >>> 15);
  }

  /** The port a connection goes to, the scheme's own when none was written. */
  public int port() {
    return port;
  }

  /** The request target: path and, where there is one, {@code ?} and the query. */
  public String target() {
    return text.substring(targetStart());
  }

  /** Scheme, host and port: what a robots.txt speaks for. */
  public Authority authority() {
    return site().authority();
  }

  /** The domain this URL belongs to when sub-domains are kept apart. */
  public DomainName domain() {
    return site().domain();
  }

  private AuthorityDomain site() {
    AuthorityDomain known = site;
    if (known == null) {
      known = RecentSites.of(this);
      site = known;
    }
    return known;
  }

  boolean isHttps() {
    return hostStart() == "https://".length();
  }

  int hostStart() {
    return text.charAt(4) == 's' ? "https://".length() : "http://".length();
  }

  /** Index in the normal form where the request target starts. */
  public int targetStart() {
    return text.charAt(hostEnd) == '/' ? hostEnd : text.indexOf('/', hostEnd);
  }

  /** Where the path ends: at the question mark or with the text. */
  public int pathEnd() {
    int query = text.indexOf('?', hostEnd);
    return query < 0 ? text.length() : query;
  }

  /** Another target at the same authority; the text starts with everything before this target. */
  CrawlUrl withText(String sibling) {
    CrawlUrl other = new CrawlUrl(sibling, hostEnd, port);
    other.site = site();
    return other;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof CrawlUrl that && text.equals(that.text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  /** The normal form. */
  @Override
  public String toString() {
    return text;
  }
}
