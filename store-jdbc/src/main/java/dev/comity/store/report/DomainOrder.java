package dev.comity.store.report;

/** In which order domains are listed; by name among equals. */
public enum DomainOrder {
  NAME("d.domain"),
  /** What was crawled last comes first. */
  RECENT("d.last_crawled_at DESC, d.domain"),
  PAGES("d.pages_crawled DESC, d.domain"),
  ERRORS("d.total_error_count DESC, d.domain"),
  QUEUED("d.frontier_size + d.frontier_elsewhere DESC, d.domain"),
  /** Those with most images for each page come first. */
  YIELD("d.image_yield_rate DESC NULLS LAST, d.domain"),
  PRIORITY("d.priority_score DESC, d.domain"),
  DELAY("${greatest}(d.crawl_delay_ms, d.adaptive_delay_ms) DESC, d.domain");

  private final String sql;

  DomainOrder(String sql) {
    this.sql = sql;
  }

  String sql() {
    return sql;
  }
}
