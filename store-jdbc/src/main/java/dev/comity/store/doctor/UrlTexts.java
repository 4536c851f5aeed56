package dev.comity.store.doctor;

import dev.comity.core.url.CrawlUrl;
import dev.comity.store.SqlDialect;
import dev.comity.store.postgres.rows.UrlHash;
import dev.comity.store.sql.ResultRow;
import dev.comity.store.sql.Statements;
import dev.comity.store.sql.Stored;
import dev.comity.store.sql.UrlKey;
import dev.comity.store.sql.UrlText;
import java.util.ArrayList;
import java.util.List;

/** Reads every URL of every frontier once, and whether it lies where it would be found. */
final class UrlTexts {
  private static final int FARTHEST = 1000;

  private final Statements sql;
  private final Examination.Findings findings;
  private final UrlKey keys = new UrlKey();
  private final List<Moved> moved = new ArrayList<>();

  /** A URL that is not at its own key, since another had it: or so it seems. */
  private record Moved(long id, long domainId, String domain, String url, long own, long key) {}

  UrlTexts(Statements sql, Examination.Findings findings) {
    this.sql = sql;
    this.findings = findings;
  }

  void examine() {
    if (sql.dialect() == SqlDialect.POSTGRES) {
      sql.each(
          """
          SELECT f.id, f.url_hash, f.url, d.domain FROM domain_frontier f
          JOIN domains d ON d.id = f.domain_id
          """,
          this::examineHashed);
      return;
    }
    sql.each(
        """
        SELECT f.id, f.domain_id, f.url_key, f.target, a.authority, d.domain
        FROM domain_frontier f NOT INDEXED
        JOIN domains d ON d.id = f.domain_id
        LEFT JOIN authorities a ON a.domain_id = f.domain_id AND a.number = f.authority_no
        """,
        this::examine);
    moved.forEach(this::examine);
  }

  /** On a server the hash of the whole text is the key, and unique. */
  private void examineHashed(ResultRow row) {
    String domain = row.text("domain");
    switch (UrlText.read(row.number("id"), "", row.text("url"), domain)) {
      case Stored.Damaged(var reason) -> findings.add(domain, reason);
      case Stored.Sound(var url) when !UrlHash.of(url).toString().equals(row.text("url_hash")) ->
          foundAtAnother(row, domain, url);
      case Stored.Sound<CrawlUrl> _ -> {}
    }
  }

  private void foundAtAnother(ResultRow row, String domain, CrawlUrl url) {
    findings.add(
        domain,
        "URL %d is kept under the key of another text: %s".formatted(row.number("id"), url));
  }

  private void examine(ResultRow row) {
    String domain = row.text("domain");
    Stored<CrawlUrl> read =
        UrlText.read(
            row.number("id"),
            row.optionalText("authority").orElse(null),
            row.text("target"),
            domain);
    switch (read) {
      case Stored.Damaged(var reason) -> findings.add(domain, reason);
      case Stored.Sound(var url) -> {
        long own = keys.applyAsLong(url);
        long key = row.number("url_key");
        if (key < own || key - own > FARTHEST) {
          foundAtAnother(row, domain, url);
        } else if (key != own && moved.size() < Examination.MOST) {
          moved.add(
              new Moved(
                  row.number("id"), row.number("domain_id"), domain, url.toString(), own, key));
        }
      }
    }
  }

  private void examine(Moved one) {
    sql.each(
        """
        SELECT f.id FROM domain_frontier f
        JOIN authorities a ON a.domain_id = f.domain_id AND a.number = f.authority_no
        WHERE f.domain_id = ? AND f.url_key >= ? AND f.url_key < ?
          AND a.authority || f.target = ?
        """,
        row ->
            findings.add(
                one.domain(),
                "URLs %d and %d are the same: %s".formatted(row.number("id"), one.id(), one.url())),
        one.domainId(),
        one.own(),
        one.key(),
        one.url());
  }
}
