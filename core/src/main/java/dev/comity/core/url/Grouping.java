package dev.comity.core.url;

/** Which hosts are one domain: the choice behind {@code strip-subdomains}. */
public enum Grouping {
  /** Every sub-domain is a domain of its own. */
  BY_HOST,
  /** All hosts under one registered name are one domain. */
  BY_REGISTRABLE_DOMAIN;

  /** The domain a URL belongs to. */
  public DomainName domainOf(CrawlUrl url) {
    return this == BY_HOST ? url.domain() : url.domain().registrable();
  }
}
