package dev.comity.store.postgres;

import dev.comity.core.policy.DomainPolicy;
import dev.comity.core.policy.DomainState;
import dev.comity.core.port.run.RunTerms;
import dev.comity.core.port.source.AddAnswer;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.port.store.SeedAddress;
import dev.comity.core.url.Authority;
import dev.comity.core.url.DomainName;
import dev.comity.core.url.Grouping;
import dev.comity.store.StoreSettings;
import dev.comity.store.crawl.Requeuing;
import dev.comity.store.order.Priorities;
import dev.comity.store.postgres.connect.PostgresSession;
import dev.comity.store.postgres.connect.ReadSessions;
import dev.comity.store.postgres.connect.WriteLane;
import dev.comity.store.postgres.rows.DomainReadiness;
import dev.comity.store.source.Origins;
import dev.comity.store.source.UrlOffers;
import dev.comity.store.sql.StateColumns;
import dev.comity.store.sql.Stored;
import dev.comity.store.sql.Transitions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/** What enters without a claim: URLs, addresses and ranks of seeds, pages to be asked again. */
final class IntakeRows {
  private final WriteLane lane;
  private final ReadSessions reading;
  private final FrontierInserts inserts;
  private final FleetSweep sweep;
  private final Priorities priorities;
  private final StoreSettings settings;
  private final Grouping grouping;
  private final DomainPolicy policy;
  private final HeldFrontier held;

  IntakeRows(
      WriteLane lane,
      ReadSessions reading,
      FrontierInserts inserts,
      FleetSweep sweep,
      Priorities priorities,
      StoreSettings settings,
      HeldFrontier held) {
    this.lane = lane;
    this.reading = reading;
    this.inserts = inserts;
    this.sweep = sweep;
    this.priorities = priorities;
    this.settings = settings;
    grouping = settings.grouping();
    policy = settings.policy();
    this.held = held;
  }

  /** Adds URLs and wakes their domains; returns how many entered. */
  int add(List<QueuedUrl> urls) {
    return add(urls, List.of());
  }

  private int add(List<QueuedUrl> urls, List<OutsideRows.KeptLink> kept) {
    List<FoundUrl> found = inserts.prepare(urls);
    if (found.isEmpty() && kept.isEmpty()) {
      return 0;
    }
    int entered =
        lane.write(
            tx -> {
              tx.sql.update(
                  "DELETE FROM outside_urls WHERE id = ANY (?)",
                  tx.longs(kept.stream().map(OutsideRows.KeptLink::id).toList()));
              return enter(tx, found);
            });
    held.entered(found);
    return entered;
  }

  private int enter(PostgresSession tx, List<FoundUrl> found) {
    FrontierInserts.Finds finds = new FrontierInserts.Finds(0, 0, found, Map.of());
    int queued = inserts.add(tx, List.of(finds)).getFirst().all().queued();
    sweep.wake(tx);
    return queued;
  }

  /** Adds one URL, and says what became of it. */
  AddAnswer offer(QueuedUrl url) {
    AddAnswer answer =
        lane.write(
            tx ->
                new UrlOffers(
                        tx.sql,
                        settings,
                        known -> inserts.find(tx, Set.of(known)).get(known),
                        (entering, _) -> enter(tx, inserts.unchecked(List.of(entering))))
                    .offer(url, Instant.ofEpochMilli(tx.now())));
    held.entered(inserts.unchecked(List.of(url)));
    return answer;
  }

  /** Adds links that were kept outside and are in scope now; returns how many entered. */
  int takeOutside(Predicate<DomainName> about, Predicate<QueuedUrl> inScope) {
    int entered = 0;
    for (DomainName domain : reading.read(OutsideRows::domains)) {
      long last = 0;
      while (about.test(domain)) {
        long from = last;
        List<OutsideRows.KeptLink> some = reading.read(sql -> OutsideRows.after(sql, domain, from));
        if (some.isEmpty()) {
          break;
        }
        last = some.getLast().id();
        List<OutsideRows.KeptLink> taken = OutsideRows.inScope(some, inScope);
        entered += add(taken.stream().map(OutsideRows.KeptLink::entry).toList(), taken);
      }
    }
    return entered;
  }

  void rank(Map<DomainName, Long> ranks) {
    lane.write(
        tx -> {
          priorities.rank(tx.sql, ranks, tx.now());
          return true;
        });
  }

  /** Keeps the first kind of each address and whether it was ever named. */
  List<SeedAddress> keepAddresses(List<SeedAddress> seeds) {
    return lane.write(tx -> keep(tx, grouping, seeds));
  }

  static List<SeedAddress> keep(PostgresSession tx, Grouping grouping, List<SeedAddress> seeds) {
    List<SeedAddress> kept = new ArrayList<>();
    for (SeedAddress seed : seeds) {
      Authority authority = seed.authority();
      tx.sql
          .first(
              """
              INSERT INTO authorities AS a (domain_id, authority, address_kind, named)
              SELECT id, ?, ?, ? FROM domains WHERE domain = ?
              ON CONFLICT (domain_id, authority) DO UPDATE SET
                address_kind = coalesce(a.address_kind, excluded.address_kind),
                named = greatest(a.named, excluded.named)
              RETURNING address_kind, named
              """,
              row -> new SeedAddress(authority, row.getString(1), row.getBoolean(2)),
              authority.toString(),
              seed.kind(),
              seed.named() ? 1 : 0,
              grouping.domainOf(authority.robotsTxt()).name())
          .ifPresent(kept::add);
    }
    return kept;
  }

  /** The known pages of the domains that a wider run reaches are asked for their links. */
  int reread(PostgresSession tx, RunTerms terms, RunRows runs) {
    Set<String> names = new TreeSet<>();
    terms.seeds().forEach(seed -> names.add(grouping.domainOf(seed).name()));
    runs.domains(tx).forEach(domain -> names.add(domain.name()));
    return again(tx, names.stream().map(DomainName::new).toList(), Requeuing.Which.LINKING);
  }

  /** The known pages of a domain are asked for their links. */
  void readLinks(PostgresSession tx, DomainName domain) {
    again(tx, domain, Requeuing.Which.LINKING);
  }

  /**
   * Makes all that is known of exhausted domains due again; returns how many.
   *
   * @param whole whether their content is wanted, changed or not
   */
  int again(PostgresSession tx, Collection<DomainName> domains, boolean whole) {
    int due = again(tx, domains, Requeuing.Which.ANSWERED);
    if (whole && due > 0) {
      tx.sql.update(
          """
          UPDATE domain_frontier SET etag = NULL, last_modified = NULL WHERE state = 0
            AND domain_id IN (SELECT id FROM domains WHERE domain = ANY (?))
          """,
          tx.texts(domains.stream().map(DomainName::name).toList()));
    }
    return due;
  }

  /**
   * Makes images due that pages of these domains show and that are known without their files, as
   * the run asks for files. Hosts that are held, blocked or unreachable are left out.
   */
  int files(PostgresSession tx, long run, Collection<DomainName> sources) {
    List<DomainName> hosts =
        tx.sql.list(
            """
            SELECT DISTINCT d.domain FROM images i JOIN provenance s ON s.image_id = i.id
            JOIN domain_frontier f ON f.id = s.url_id AND f.state = 1 AND f.kind = 3
            JOIN domains d ON d.id = f.domain_id AND d.claimed_by IS NULL
              AND d.status IN ('pending', 'active', 'exhausted')
            WHERE i.kept = 0 AND s.source_domain = ANY (?) ORDER BY d.domain
            """,
            row -> new DomainName(row.getString(1)),
            tx.texts(sources.stream().map(DomainName::name).toList()));
    tx.sql.update(
        """
        INSERT INTO crawl_run_image_hosts (run_id, domain_id)
        SELECT ?, id FROM domains WHERE domain = ANY (?) ORDER BY id ON CONFLICT DO NOTHING
        """,
        run,
        tx.texts(hosts.stream().map(DomainName::name).toList()));
    return again(tx, hosts, Requeuing.Which.WITHOUT_FILE);
  }

  void keepOrigins(Map<DomainName, String> origins) {
    lane.write(
        tx -> {
          new Origins(tx.later).keep(origins);
          return true;
        });
  }

  /** Makes known URLs of exhausted domains due again; returns how many. */
  private int again(PostgresSession tx, Collection<DomainName> domains, Requeuing.Which which) {
    return domains.stream().mapToInt(domain -> again(tx, domain, which)).sum();
  }

  private int again(PostgresSession tx, DomainName name, Requeuing.Which which) {
    record Row(long id, Stored<DomainState> state) {}
    Optional<Row> exhausted =
        tx.sql.first(
            "SELECT id, policy_state FROM domains WHERE domain = ? AND status = 'exhausted'"
                + " AND claimed_by IS NULL AND damage IS NULL FOR NO KEY UPDATE",
            row ->
                new Row(
                    row.getLong(1),
                    Stored.state(name.name(), row.getString(2), "exhausted", false)),
            name.name());
    if (exhausted.isEmpty()) {
      return which == Requeuing.Which.ANSWERED ? 0 : ofOpen(tx, name, which);
    }
    long id = exhausted.get().id();
    if (!(exhausted.get().state() instanceof Stored.Sound(var state))) {
      FleetSweep.setAside(tx, id, exhausted.get().state().damage().orElseThrow());
      return 0;
    }
    int due = new Requeuing(tx.sql, id).requeue(which);
    if (due == 0) {
      return 0;
    }
    Transitions.write(
        tx.sql,
        id,
        new Transitions.StatusChange("exhausted", "pending", "arrival", which.words()),
        tx.now());
    tx.sql.update(
        "UPDATE domains SET " + StateColumns.SET + ", spent_run_id = NULL WHERE id = ?",
        StateColumns.values(policy.arrival(state), tx.now(), id));
    DomainReadiness.set(tx, List.of(id));
    return due;
  }

  /** Where a domain is not exhausted, its URLs wait with what it has left. */
  private static int ofOpen(PostgresSession tx, DomainName name, Requeuing.Which which) {
    Optional<Long> open =
        tx.sql.first(
            "SELECT id FROM domains WHERE domain = ? AND damage IS NULL AND status <> 'exhausted'"
                + " FOR NO KEY UPDATE",
            row -> row.getLong(1),
            name.name());
    if (open.isEmpty()) {
      return 0;
    }
    int due = new Requeuing(tx.sql, open.get()).requeue(which);
    if (tx.sql.exists("SELECT 1 FROM domains WHERE id = ? AND claimed_by IS NULL", open.get())) {
      DomainReadiness.set(tx, open.stream().toList());
    }
    return due;
  }

  /** Computes all scores again, a batch at a time. */
  void recalculate(Instant now) {
    long last = 0;
    while (true) {
      long from = last;
      List<Priorities.Score> scores =
          reading.read(sql -> priorities.after(sql, from, now.toEpochMilli()));
      if (scores.isEmpty() || Thread.currentThread().isInterrupted()) {
        return;
      }
      lane.write(
          tx -> {
            Priorities.write(tx.later, scores, now.toEpochMilli());
            return true;
          });
      last = scores.getLast().id();
    }
  }

  /** Computes all scores again where an earlier run gave places in place of them. */
  void leaveSeedOrder(Instant now) {
    if (priorities.isOrdered() || !reading.read(Priorities::hasPlaces)) {
      return;
    }
    recalculate(now);
    if (!Thread.currentThread().isInterrupted()) {
      lane.write(
          tx -> {
            Priorities.forgetPlaces(tx.sql);
            return true;
          });
    }
  }

  void order(String worker, List<DomainName> domains) {
    lane.write(
        tx -> {
          priorities.order(tx.sql, worker, domains, tx.now());
          return true;
        });
  }
}
