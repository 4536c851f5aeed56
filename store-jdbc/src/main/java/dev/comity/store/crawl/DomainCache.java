package dev.comity.store.crawl;

import dev.comity.core.policy.DomainPolicy;
import dev.comity.core.policy.DomainState;
import dev.comity.core.url.DomainName;
import dev.comity.store.sql.DomainStateJson;
import dev.comity.store.sql.GroupWriter;
import dev.comity.store.sql.SetAside;
import dev.comity.store.sql.StateColumns;
import dev.comity.store.sql.Statements;
import dev.comity.store.sql.Stored;
import dev.comity.store.sql.Subdomains;
import dev.comity.store.sql.Transitions;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The rows of domains as the writer knows them: their ids, their authorities and how much they have
 * waiting. A bounded number is kept at hand; what is not is read again.
 */
public final class DomainCache implements GroupWriter.Follower {
  private static final int AT_HAND = 50_000;

  private final Statements sql;
  private final DomainPolicy policy;
  private final Priorities priorities;
  private final Map<DomainName, Known> entries =
      new LinkedHashMap<>(1024, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<DomainName, Known> eldest) {
          return size() > AT_HAND;
        }
      };

  private final Subdomains subdomains;

  public DomainCache(
      Statements sql, DomainPolicy policy, Subdomains subdomains, Priorities priorities) {
    this.sql = sql;
    this.policy = policy;
    this.priorities = priorities;
    this.subdomains = subdomains;
  }

  /** One domain's row. */
  static final class Known {
    final long id;
    private final Map<String, Integer> authorities = new HashMap<>();

    /** Queued, deferred and in flight. */
    long unfinished;

    /** Kept so that each is counted once; as many as may be unfinished. */
    private long skipped;

    /** Nobody holds it and it has nothing to do now: an arrival must wake it. */
    private boolean asleep;

    Known(long id) {
      this.id = id;
    }

    /** How many rows there are of those that are asked, or of those that are not. */
    long kept(boolean notAsked) {
      return notAsked ? skipped : unfinished;
    }

    void keep(int more, boolean notAsked) {
      if (notAsked) {
        skipped += more;
      } else {
        unfinished += more;
      }
    }
  }

  /** The row of a domain, made where there is none. */
  Known of(DomainName name, long now) throws SQLException {
    return of(name, List.of(), now);
  }

  /** The row of a domain, made where there is none for these URLs, which are to be asked. */
  Known of(DomainName name, List<Arrival> wanted, long now) throws SQLException {
    Known known = entries.get(name);
    if (known != null) {
      return known;
    }
    Optional<Known> found = find(name);
    Known entry = found.isPresent() ? found.get() : make(name, wanted, now);
    entries.put(name, entry);
    return entry;
  }

  /** Whether a link may lead there: to a domain that is known, or to one there is room for. */
  boolean admitsLinksTo(DomainName name) throws SQLException {
    return entries.containsKey(name) || !subdomains.isFull(name) || find(name).isPresent();
  }

  /** So many links led to a domain there is no room for. */
  void leftOut(DomainName name, int links) throws SQLException {
    subdomains.leftOut(name, links);
  }

  /** What is known of a domain changes otherwise than by arrivals: it is read again when needed. */
  public void forget(DomainName name) {
    entries.remove(name);
  }

  private Optional<Known> find(DomainName name) throws SQLException {
    Optional<Known> found =
        sql.first(
            """
            SELECT id, frontier_size, claimed_by IS NULL AND coalesce(claimable_at, 1) > 0
                AND status IN ('pending', 'active', 'exhausted') AND damage IS NULL
                AND reset_by_hand = 0,
              (SELECT coalesce(sum(discovered), 0) FROM arrivals WHERE domain_id = domains.id),
              urls_skipped
                + (SELECT coalesce(sum(skipped), 0) FROM arrivals WHERE domain_id = domains.id)
            FROM domains WHERE domain = ?
            """,
            row -> {
              Known entry = new Known(row.getLong(1));
              entry.unfinished = row.getLong(2) + row.getLong(4);
              entry.asleep = row.getBoolean(3);
              entry.skipped = row.getLong(5);
              return entry;
            },
            name.name());
    if (found.isPresent()) {
      sql.each(
          "SELECT authority, number FROM authorities WHERE domain_id = ?",
          row -> found.get().authorities.put(row.getString(1), row.getInt(2)),
          found.get().id);
    }
    return found;
  }

  /** Its priority is there at once. With nothing to be asked it cannot be claimed yet. */
  private Known make(DomainName name, List<Arrival> wanted, long now) throws SQLException {
    subdomains.entered(name);
    long urls = wanted.stream().map(arrival -> arrival.entry().url()).distinct().count();
    Known made =
        sql.first(
                """
                INSERT INTO domains (domain, parent_domain, first_seen_at, updated_at, claimable_at,
                  priority_score, priority_computed_at)
                VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING id
                """,
                row -> new Known(row.getLong(1)),
                name.name(),
                name.registrable().name(),
                now,
                now,
                urls > 0 ? 0 : null,
                priorities.ofNew(urls),
                now)
            .orElseThrow();
    made.asleep = urls == 0;
    return made;
  }

  /** The number of an authority within its domain. */
  int authority(Known domain, String authority) throws SQLException {
    Integer known = domain.authorities.get(authority);
    if (known != null) {
      return known;
    }
    // A row may be missing, so that there are fewer than the highest number says.
    int number = domain.authorities.values().stream().mapToInt(i -> i).max().orElse(-1) + 1;
    sql.update(
        "INSERT INTO authorities (domain_id, number, authority) VALUES (?, ?, ?)",
        domain.id,
        number,
        authority);
    domain.authorities.put(authority, number);
    return number;
  }

  /** URLs came in from elsewhere: counted for whoever holds the domain, and it wakes up. */
  void arrived(Known domain, FrontierWriter.Entered entered, long now) throws SQLException {
    sql.update(
        "INSERT INTO arrivals (domain_id, discovered, over_cap, skipped) VALUES (?, ?, ?, ?)",
        domain.id,
        entered.queued(),
        entered.overCap(),
        entered.skipped());
    if (domain.asleep && entered.queued() > 0) {
      wake(domain, now);
    }
  }

  private void wake(Known domain, long now) throws SQLException {
    domain.asleep = false;
    // One that only waits for its deferred URLs need not wait any longer, unless it rests.
    sql.update(
        """
        UPDATE domains SET claimable_at = coalesce(not_before, 0), version = version + 1
        WHERE id = ? AND claimed_by IS NULL AND spent_run_id IS NULL AND damage IS NULL
          AND reset_by_hand = 0 AND status IN ('pending', 'active')
          AND (claimable_at IS NULL OR claimable_at > coalesce(not_before, 0))
        """,
        domain.id);
    Optional<Stored<DomainState>> stored =
        sql.first(
            "SELECT domain, policy_state, status FROM domains WHERE id = ? AND claimed_by IS NULL"
                + " AND damage IS NULL AND status = 'exhausted'",
            row -> Stored.state(row.getString(1), row.getString(2), row.getString(3), false),
            domain.id);
    if (stored.isEmpty()) {
      return;
    }
    if (stored.get() instanceof Stored.Damaged(var reason)) {
      new SetAside(sql).set(domain.id, reason, now);
      return;
    }
    DomainState state = policy.arrival(stored.get().value().orElseThrow());
    Transitions.write(
        sql,
        domain.id,
        new Transitions.Step("exhausted", "pending", "arrival", "a URL arrived"),
        now);
    sql.update(
        """
        UPDATE domains SET status = 'pending', policy_state = ?, next_crawl_after = NULL,
          claimable_at = 0, claim_class = ?, version = version + 1, updated_at = ? WHERE id = ?
        """,
        DomainStateJson.encode(state),
        StateColumns.claimClass(state),
        now,
        domain.id);
  }

  @Override
  public void rolledBack() {
    entries.clear();
  }

  @Override
  public void overtaken() {
    entries.clear();
  }
}
