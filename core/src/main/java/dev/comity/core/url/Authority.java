package dev.comity.core.url;

/** Scheme, host and port: where a connection goes and what one robots.txt speaks for. */
public record Authority(String scheme, String host, int port) {

  /** Where this authority keeps its robots.txt. */
  public CrawlUrl robotsTxt() {
    return CrawlUrl.of(this + "/robots.txt");
  }

  /** Where this authority says which of its content is reserved from mining. */
  public CrawlUrl tdmRep() {
    return CrawlUrl.of(this + "/.well-known/tdmrep.json");
  }

  @Override
  public String toString() {
    int usual = scheme.equals("https") ? 443 : 80;
    return scheme + "://" + host + (port == usual ? "" : ":" + port);
  }
}
