package dev.comity.core.url;

/** What all URLs of one authority have in common. */
record AuthorityDomain(Authority authority, DomainName domain) {
  static AuthorityDomain of(CrawlUrl url) {
    // Where the domain is the host, they are one text.
    String host = url.host();
    return new AuthorityDomain(
        new Authority(url.scheme(), host, url.port()), DomainName.read(url, host));
  }

  boolean has(CrawlUrl url) {
    return authority.port() == url.port()
        && url.scheme().equals(authority.scheme())
        && url.hasHost(authority.host());
  }
}
