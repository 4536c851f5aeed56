package dev.comity.core.url;

/** What all URLs of one authority have in common. */
record Site(Authority authority, DomainName domain) {
  static Site of(CrawlUrl url) {
    return new Site(new Authority(url.scheme(), url.host(), url.port()), DomainName.read(url));
  }

  boolean has(CrawlUrl url) {
    return authority.port() == url.port()
        && url.scheme().equals(authority.scheme())
        && url.hasHost(authority.host());
  }
}
