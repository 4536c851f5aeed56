package dev.comity.store.sql;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/**
 * The notes of which URLs are in flight. After a crash they say which URL may have caused it. Runs
 * in the writer's thread.
 */
public record InFlightRows(Statements sql) {
  private static final String NOTE_ONE = note("?2", "domains");
  private static final String NOTE_ALL = note("taken.value", "domains, json_each(?2) AS taken");

  private static String note(String url, String tables) {
    return """
    INSERT INTO in_flight (url_id, domain_id, taken_at)
    SELECT %s, domains.id, ?1 FROM %s
    WHERE domains.id = ?3 AND claim_token = ?4 AND claimed_by IS NOT NULL
    ON CONFLICT (url_id) DO UPDATE SET taken = 1, taken_at = excluded.taken_at
    """
        .formatted(url, tables);
  }

  /**
   * URLs of one claim that were taken and are not noted yet. Taking a URL waits for nothing: one
   * piece notes all that were taken until it runs. Thread-safe.
   */
  public static final class TakenUrls {
    private final long domain;
    private final long token;
    private final Queue<Long> unnoted = new ConcurrentLinkedQueue<>();

    /** Whether a piece that notes them waits for the writer. */
    private final AtomicBoolean noting = new AtomicBoolean();

    public TakenUrls(long domain, long token) {
      this.domain = domain;
      this.token = token;
    }

    /** Notes a URL soon. */
    public void add(long url, GroupWriter writer, InFlightRows rows, LongSupplier now) {
      unnoted.add(url);
      if (noting.getAndSet(true)) {
        return;
      }
      // Kept by the piece: after a rollback it notes them again.
      List<Long> taken = new ArrayList<>();
      writer.later(
          () -> {
            noting.set(false);
            for (Long next = unnoted.poll(); next != null; next = unnoted.poll()) {
              taken.add(next);
            }
            rows.note(domain, token, taken, now.getAsLong());
          });
    }
  }

  /** Notes URLs of a domain as in flight, while the claim with this token holds. */
  public void note(long domain, long token, List<Long> urls, long now) {
    // One URL is the usual case among many domains, and an array to read costs as much as a row.
    if (urls.size() == 1) {
      sql.update(NOTE_ONE, now, urls.getFirst(), domain, token);
    } else {
      sql.update(NOTE_ALL, now, array(urls), domain, token);
    }
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
