package dev.comity.store.crawl;

import dev.comity.core.policy.DomainPolicy;
import dev.comity.core.policy.DomainState;
import dev.comity.core.url.DomainName;
import dev.comity.store.sql.DamagedDomains;
import dev.comity.store.sql.Readiness;
import dev.comity.store.sql.StateColumns;
import dev.comity.store.sql.Statements;
import dev.comity.store.sql.Stored;
import dev.comity.store.sql.Transitions;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Makes everything known of an exhausted domain due again. Runs in the writer's thread. Domains
 * that still have something to do keep to it, and closed ones stay closed.
 */
record Revisits(Statements sql, DomainPolicy policy, FrontierWriter urls) {
  private record Row(long id, Stored<DomainState> state) {}

  /** Returns how many URLs are asked again. */
  public int again(DomainName name, boolean whole, long now) {
    int due = again(name, Requeuing.Which.ANSWERED, now);
    if (whole && due > 0) {
      sql.update(
          """
          UPDATE domain_frontier SET etag = NULL, last_modified = NULL
          WHERE domain_id = (SELECT id FROM domains WHERE domain = ?) AND state = 0
          """,
          name.name());
    }
    urls.forget(name);
    return due;
  }

  /** Queues the known pages of these domains, to be asked for their links. */
  int links(Collection<DomainName> domains, long now) {
    int known = 0;
    for (DomainName domain : domains) {
      known += due(domain, Requeuing.Which.LINKING, now);
      urls.forget(domain);
    }
    return known;
  }

  /**
   * Makes images due that pages of these domains show and that are known without their files, as
   * the run asks for files. Hosts that are blocked or unreachable are left out.
   */
  int files(long run, Collection<DomainName> sources, long now) {
    record Shown(long host, String name, String source) {}
    Map<Long, String> hosts = new LinkedHashMap<>();
    sql
        .list(
            """
            SELECT DISTINCT d.id, d.domain, s.source_domain FROM images i
            JOIN provenance s ON s.image_id = i.id
            JOIN domain_frontier f ON f.id = s.url_id AND f.state = 1 AND f.kind = 3
            JOIN domains d ON d.id = f.domain_id AND d.claimed_by IS NULL
              AND d.status IN ('pending', 'active', 'exhausted')
            WHERE i.kept = 0
            """,
            row -> new Shown(row.getLong(1), row.getString(2), row.getString(3)))
        .stream()
        .filter(shown -> sources.contains(new DomainName(shown.source())))
        .forEach(shown -> hosts.put(shown.host(), shown.name()));
    int due = 0;
    for (Map.Entry<Long, String> host : hosts.entrySet()) {
      DomainName name = new DomainName(host.getValue());
      due += due(name, Requeuing.Which.WITHOUT_FILE, now);
      sql.update(
          "INSERT INTO crawl_run_image_hosts (run_id, domain_id) VALUES (?, ?)"
              + " ON CONFLICT DO NOTHING",
          run,
          host.getKey());
      urls.forget(name);
    }
    return due;
  }

  private int again(DomainName name, Requeuing.Which which, long now) {
    Optional<Row> exhausted =
        sql.first(
            "SELECT id, policy_state FROM domains WHERE domain = ? AND status = 'exhausted'"
                + " AND claimed_by IS NULL AND damage IS NULL",
            row ->
                new Row(
                    row.getLong(1),
                    Stored.state(name.name(), row.getString(2), "exhausted", false)),
            name.name());
    if (exhausted.isEmpty()) {
      return 0;
    }
    return switch (exhausted.get().state()) {
      case Stored.Sound(var state) -> again(exhausted.get().id(), state, which, now);
      case Stored.Damaged(var reason) -> {
        new DamagedDomains(sql).setAside(exhausted.get().id(), reason, now);
        yield 0;
      }
    };
  }

  /** Makes URLs of a domain due. Where it is not exhausted they wait with what it has left. */
  private int due(DomainName name, Requeuing.Which which, long now) {
    Optional<Long> open =
        sql.first(
            "SELECT id FROM domains WHERE domain = ? AND damage IS NULL AND status <> 'exhausted'",
            row -> row.getLong(1),
            name.name());
    if (open.isEmpty()) {
      return again(name, which, now);
    }
    int due = new Requeuing(sql, open.get()).requeue(which);
    sql.update(
        "UPDATE domains SET claimable_at ="
            + Readiness.SQL
            + " WHERE id = ? AND claimed_by IS NULL",
        open.get());
    return due;
  }

  private int again(long domain, DomainState state, Requeuing.Which which, long now) {
    int due = new Requeuing(sql, domain).requeue(which);
    if (due == 0) {
      return 0;
    }
    DomainState open = policy.arrival(state);
    Transitions.write(
        sql,
        domain,
        new Transitions.StatusChange("exhausted", "pending", "arrival", which.words()),
        now);
    sql.update(
        "UPDATE domains SET "
            + StateColumns.SET
            + ", spent_run_id = NULL, claimable_at = 0 WHERE id = ?",
        StateColumns.values(open, now, domain));
    return due;
  }
}
