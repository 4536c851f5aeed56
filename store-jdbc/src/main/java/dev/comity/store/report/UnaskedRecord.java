package dev.comity.store.report;

import dev.comity.store.sql.ResultRow;
import java.util.Optional;

/**
 * A URL that the user gave and that was not asked, or not to its end.
 *
 * @param state queued, failed, denied, set_aside or suppressed
 * @param detail why its domain is closed, or the wish that refuses it
 */
public record UnaskedRecord(
    long id, String domain, String url, String state, Optional<String> detail) {

  static final int BATCH = 1_000;

  static final String QUERY =
      """
      SELECT f.id, d.domain, a.authority || f.target AS url,
        CASE f.state WHEN 0 THEN 'queued' WHEN 2 THEN 'failed' WHEN 3 THEN 'denied'
          WHEN 4 THEN 'set_aside' ELSE 'suppressed' END AS word,
        coalesce(r.words, d.block_reason) AS detail
      FROM domain_frontier f
      JOIN domains d ON d.id = f.domain_id
      JOIN authorities a ON a.domain_id = f.domain_id AND a.number = f.authority_no
      LEFT JOIN refusals r ON r.url_id = f.id
      WHERE f.id > ? AND f.depth = 0 AND f.kind = 0
        AND (f.state IN (0, 4) OR f.state IN (2, 3, 5) AND f.asked = 0)
      ORDER BY f.id LIMIT ?
      """;

  static UnaskedRecord read(ResultRow row) {
    return new UnaskedRecord(
        row.number("id"),
        row.text("domain"),
        row.text("url"),
        row.text("word"),
        row.optionalText("detail"));
  }
}
