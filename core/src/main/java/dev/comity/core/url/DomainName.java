package dev.comity.core.url;

import dev.comity.core.util.Printable;

/**
 * The canonical name of a domain: the unit of politeness, budget, state and ownership.
 *
 * <p>It is a host without the {@code www.} in front that says nothing, and with its port unless
 * that is 80 or 443: what answers on another port is another site.
 *
 * @param name the text that was stored or shown; new names come from {@link #of} and {@link #parse}
 */
public record DomainName(String name) implements ParsedDomain {
  private static final String WWW = "www.";

  /** Takes a canonical name back; text from anywhere else is to be parsed. */
  public DomainName {
    if (!isName(name)) {
      throw new IllegalArgumentException(
          "not the canonical name of a domain: " + Printable.quoted(Printable.cut(name)));
    }
  }

  /** The domain a URL belongs to when sub-domains are kept apart. */
  public static DomainName of(CrawlUrl url) {
    return url.domain();
  }

  static DomainName read(CrawlUrl url, String host) {
    String name = host.startsWith(WWW) && stripsWww(host) ? host.substring(WWW.length()) : host;
    int port = url.port();
    return new DomainName(port == 80 || port == 443 ? name : name + ":" + port);
  }

  /** Reads a host, a host with a port, or a URL. */
  public static ParsedDomain parse(String text) {
    return switch (BareHost.read(text, "http")) {
      case CrawlUrl url -> of(url);
      case UrlRefusal refusal -> refusal;
    };
  }

  /**
   * The domain that was registered, by the public suffixes of ICANN's registries: {@code
   * example.co.uk} for {@code shop.example.co.uk}. What was not registered, such as an address,
   * stands for itself.
   */
  public DomainName registrable() {
    String host = host();
    if (isAddress() || host.indexOf('.') < 0) {
      return this;
    }
    String registrable = PublicSuffixes.registrable(host);
    return registrable.length() == host.length()
        ? this
        : new DomainName(registrable + name.substring(host.length()));
  }

  /**
   * The host under which its owner can make up names without end. Unlike {@link #registrable}, it
   * knows where a company rents such names to others: {@code alice.github.io} is its own.
   */
  public String owner() {
    String host = host();
    // Two labels are a name as it was registered; the list need not be loaded for that.
    boolean plain = host.indexOf('.') == host.lastIndexOf('.');
    return plain || isAddress() ? host : PublicSuffixes.owner(host);
  }

  /** Whether anybody may register names under this one, so that it is no single site. */
  public boolean isPublicSuffix() {
    return !isAddress() && PublicSuffixes.contains(host());
  }

  /** Whether this is an IP address and not a name. */
  public boolean isAddress() {
    // No name ends in a number: where one does, it was read as an IPv4 address.
    return name.charAt(0) == '[' || Ipv4Text.endsInNumber(host());
  }

  private String host() {
    int colon = name.lastIndexOf(':');
    return colon < 0 || name.endsWith("]") ? name : name.substring(0, colon);
  }

  /**
   * Whether {@code www.} is only a habit of this host. In {@code www.com} and {@code www.ck} it is
   * the very name that was registered.
   */
  private static boolean stripsWww(String host) {
    return PublicSuffixes.isBelowRegistrable(host);
  }

  private static boolean isName(String name) {
    for (int i = 0; i < name.length(); i++) {
      if (!isInName(name.charAt(i))) {
        return false;
      }
    }
    return !name.isEmpty();
  }

  private static boolean isInName(int character) {
    return Characters.isHost(character) || character == ':' || character == '[' || character == ']';
  }

  @Override
  public String toString() {
    return name;
  }
}
