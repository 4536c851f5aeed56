package dev.comity.store.crawl;

import dev.comity.core.policy.Fate;
import dev.comity.core.policy.lifecycle.DomainStatus;
import dev.comity.core.port.store.Claim;
import dev.comity.core.port.store.ClaimLost;
import dev.comity.core.port.store.Frontier;
import dev.comity.core.port.store.Settlement;
import dev.comity.core.port.store.StoreLimits;
import dev.comity.core.url.DomainName;
import dev.comity.store.StoreSettings;
import dev.comity.store.sql.GroupWriter;
import dev.comity.store.sql.ReaderThread;
import dev.comity.store.sql.SetAside;
import dev.comity.store.sql.StateColumns;
import dev.comity.store.sql.Statements;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The domains that are held here, and the head of each one's frontier: taking a URL from it waits
 * for no write.
 */
public final class HeldDomains implements Frontier {
  /** How soon a domain with nothing but suspects left looks whether the next may be asked. */
  private static final Duration QUARANTINE_WAIT = Duration.ofMillis(250);

  private final StoreSettings settings;
  private final Statements writing;
  private final GroupWriter writer;
  private final ReaderThread reader;
  private final ReadAhead readAhead;
  private final Map<DomainName, HeldDomain> held = new ConcurrentHashMap<>();

  public HeldDomains(
      StoreSettings settings,
      Statements writing,
      GroupWriter writer,
      ReaderThread reader,
      ReadAhead readAhead) {
    this.settings = settings;
    this.writing = writing;
    this.writer = writer;
    this.reader = reader;
    this.readAhead = readAhead;
  }

  public void take(Claims.Granted granted) {
    Claim claim = granted.claim();
    held.put(
        claim.domain(),
        new HeldDomain(
            claim.domain(),
            granted.id(),
            claim.token(),
            DomainStatus.ACTIVE,
            claim.job().streak()));
  }

  /** Whose lease has run out is handed nothing more, though it never comes to a write. */
  public void dropAll(Collection<DomainName> ended) {
    ended.stream().map(held::get).filter(Objects::nonNull).forEach(this::drop);
  }

  public void drop(HeldDomain domain) {
    held.remove(domain.name, domain);
  }

  /** The domain of that name, where it is held. */
  public Optional<HeldDomain> find(DomainName name) {
    return Optional.ofNullable(held.get(name));
  }

  /**
   * The domain this claim holds.
   *
   * @throws ClaimLost if it holds none
   */
  public HeldDomain of(Claim claim) {
    HeldDomain domain = held.get(claim.domain());
    if (domain == null || domain.token != claim.token()) {
      throw new ClaimLost(claim.domain(), claim.token());
    }
    return domain;
  }

  @Override
  public Next next(Claim claim, Instant now) {
    HeldDomain domain = of(claim);
    synchronized (domain) {
      domain.heedArrivals();
      if (domain.ahead.isEmpty() || domain.nextDue <= now.toEpochMilli()) {
        lookAhead(domain, now.toEpochMilli());
      }
      HeldDomain.Waiting next = admitted(domain);
      if (next == null) {
        return domain.ahead.isEmpty()
            ? ReadAhead.none(domain)
            : new Next.DueAt(now.plus(QUARANTINE_WAIT));
      }
      domain.inFlight.put(next.entry().url(), next);
      long at = now();
      writer.later(
          () ->
              writing.update(
                  """
                  INSERT INTO in_flight (url_id, domain_id, taken_at)
                  SELECT ?, id, ? FROM domains
                  WHERE id = ? AND claim_token = ? AND claimed_by IS NOT NULL
                  ON CONFLICT (url_id) DO UPDATE SET taken = 1, taken_at = excluded.taken_at
                  """,
                  next.id(),
                  at,
                  domain.id,
                  domain.token));
      return new Next.Ready(next.entry());
    }
  }

  @Override
  public boolean isEmpty(Claim claim) {
    HeldDomain domain = of(claim);
    synchronized (domain) {
      domain.heedArrivals();
      if (!domain.inFlight.isEmpty()) {
        return false;
      }
      if (domain.ahead.isEmpty()) {
        fill(domain, most());
      }
      return domain.ahead.isEmpty() && ReadAhead.none(domain) instanceof Next.Empty;
    }
  }

  /**
   * The first URL that may be asked. One suspect of a domain is in flight at a time, so that the
   * next death shows which of them it was. No domain waits for the suspects of another.
   */
  private static HeldDomain.@Nullable Waiting admitted(HeldDomain domain) {
    boolean quarantined = domain.inFlight.values().stream().anyMatch(HeldDomain.Waiting::suspect);
    for (Iterator<HeldDomain.Waiting> ahead = domain.ahead.iterator(); ahead.hasNext(); ) {
      HeldDomain.Waiting next = ahead.next();
      if (!next.suspect() || !quarantined) {
        ahead.remove();
        return next;
      }
    }
    return null;
  }

  /** What has become due takes its place in the queue first. */
  private void lookAhead(HeldDomain domain, long now) {
    int most = most();
    fill(domain, most);
    if (domain.nextDue <= now) {
      writer.write(
          () ->
              writing.update(
                  "UPDATE domain_frontier SET due_at = NULL WHERE domain_id = ? AND state = 0"
                      + " AND due_at IS NOT NULL AND due_at <= ?",
                  domain.id,
                  now));
      fill(domain, most);
    }
  }

  /** How many URLs of one domain are read ahead, while so many are held. */
  private int most() {
    StoreLimits limits = settings.limits();
    int share = limits.maxAhead() / Math.max(1, held.size());
    return Math.clamp(share, StoreLimits.LEAST_AHEAD, StoreLimits.MOST_AHEAD_PER_DOMAIN);
  }

  private void fill(HeldDomain domain, int most) {
    Optional<String> damage = reader.read(_ -> readAhead.fill(domain, most));
    if (damage.isPresent()) {
      throw setAside(domain, damage.get());
    }
  }

  /** Sets a domain aside under its holder, who is to be told by what this answers. */
  public ClaimLost setAside(HeldDomain domain, String reason) {
    writer.write(
        () -> {
          if (isHeld(domain)) {
            new SetAside(writing).set(domain.id, reason, now());
          }
          return true;
        });
    drop(domain);
    return new ClaimLost(domain.name, domain.token, reason);
  }

  private boolean isHeld(HeldDomain domain) throws SQLException {
    return writing
        .first(
            "SELECT 1 FROM domains WHERE id = ? AND claim_token = ? AND claimed_by IS NOT NULL",
            _ -> true,
            domain.id,
            domain.token)
        .isPresent();
  }

  private long now() {
    return settings.clock().instant().toEpochMilli();
  }

  /** It is written. */
  public void settled(HeldDomain domain, Settlement settlement, List<Arrival> found) {
    domain.inFlight.remove(settlement.entry().url());
    domain.streak = settlement.after(domain.streak);
    domain.written(settlement.state());
    switch (settlement.fate()) {
      case Fate.Retry(var due, _) ->
          domain.nextDue = Math.min(domain.nextDue, StateColumns.ceilMillis(due));
      case Fate.Returned _ -> domain.lookAgain();
      case Fate.Done _,
          Fate.Failed _,
          Fate.Denied _,
          Fate.Suppressed _,
          Fate.Skipped _,
          Fate.Moved _ -> {}
    }
    entered(found);
  }

  /** URLs have entered frontiers, and some may come before what was read ahead. */
  public void entered(List<Arrival> found) {
    for (Arrival arrival : found) {
      HeldDomain domain = arrival.skipped() ? null : held.get(arrival.domain());
      if (domain != null) {
        domain.entered(Arrival.place(arrival.entry()));
      }
    }
  }
}
