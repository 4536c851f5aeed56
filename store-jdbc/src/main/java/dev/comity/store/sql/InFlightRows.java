package dev.comity.store.sql;

import java.util.List;
import java.util.stream.Collectors;

/**
 * The notes of which URLs are in flight. After a crash they say which URL may have caused it. Runs
 * in the writer's thread.
 */
public record InFlightRows(Statements sql) {

  /** Notes URLs of a domain as in flight, while the claim with this token holds. */
  public void note(long domain, long token, List<Long> urls, long now) {
    sql.update(
        """
        INSERT INTO in_flight (url_id, domain_id, taken_at)
        SELECT taken.value, domains.id, ? FROM domains, json_each(?) AS taken
        WHERE domains.id = ? AND claim_token = ? AND claimed_by IS NOT NULL
        ON CONFLICT (url_id) DO UPDATE SET taken = 1, taken_at = excluded.taken_at
        """,
        now,
        array(urls),
        domain,
        token);
  }

  /** These URLs are settled. */
  public void delete(List<Long> urls) {
    if (urls.size() == 1) {
      sql.update("DELETE FROM in_flight WHERE url_id = ?", urls.getFirst());
    } else {
      sql.update(
          "DELETE FROM in_flight WHERE url_id IN (SELECT value FROM json_each(?))", array(urls));
    }
  }

  private static String array(List<Long> numbers) {
    return numbers.stream().map(String::valueOf).collect(Collectors.joining(",", "[", "]"));
  }
}
