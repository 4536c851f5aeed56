package dev.comity.store.crawl;

import dev.comity.core.policy.DomainState;
import dev.comity.core.policy.Fate;
import dev.comity.core.policy.lifecycle.DomainStatus;
import dev.comity.core.policy.lifecycle.Standing;
import dev.comity.core.port.queue.QueueCheckpoint;
import dev.comity.core.port.run.Wanted;
import dev.comity.core.port.source.SourceWaits;
import dev.comity.core.port.store.Claim;
import dev.comity.core.port.store.ClaimLost;
import dev.comity.core.port.store.Frontier;
import dev.comity.core.port.store.OperatorTerms;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.port.store.Settlement;
import dev.comity.core.schedule.JobStreak;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.DomainName;
import dev.comity.store.OperatorSignal;
import dev.comity.store.StoreSettings;
import dev.comity.store.crawl.FrontierWriter.Arrival;
import dev.comity.store.crawl.ReadAhead.Waiting;
import dev.comity.store.crawl.ReadAhead.WaitingSource;
import dev.comity.store.queue.QueueRows;
import dev.comity.store.refresh.DomainLesson;
import dev.comity.store.sql.DamagedDomains;
import dev.comity.store.sql.GroupWriter;
import dev.comity.store.sql.HeldTerms;
import dev.comity.store.sql.InFlightRows;
import dev.comity.store.sql.ReaderThread;
import dev.comity.store.sql.StateColumns;
import dev.comity.store.sql.Statements;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The domains that this process holds, each with the head of its frontier in memory: taking a URL
 * waits for no write.
 */
public final class HeldDomains implements Frontier, GroupWriter.Follower {
  /** How long a domain with only suspects left waits before it tries the next. */
  private static final Duration QUARANTINE_WAIT = Duration.ofMillis(250);

  /**
   * A claimed domain: its next URLs, those in flight, and values of its row that only the holder
   * changes. The next URLs and those in flight are guarded by its monitor, the values of its row by
   * the lock for writing. So URLs can be taken while settlements are written.
   */
  public static final class Held {
    public final DomainName name;
    public final long id;
    public final long token;
    final String worker;

    /** Whether the claim is for images alone. */
    final boolean imagesOnly;

    /** Held by the one write under its claim, until that is durable. Taken before the monitor. */
    public final Object writing = new Object();

    /** The next URLs, read ahead; their rows stay as they are. */
    final Deque<Waiting> ahead = new ArrayDeque<>();

    final Map<CrawlUrl, Waiting> inFlight = new HashMap<>();

    private final InFlightRows.TakenUrls taken;
    private final AtomicInteger earliest = new AtomicInteger(Integer.MAX_VALUE);

    /** Whether no URL was due but those read ahead and those in flight, when they were read. */
    boolean readAll;

    /** How often other writers had written when they were read. */
    long readAfter;

    /** What was read ahead. */
    private Wanted wanted = Wanted.ANY;

    /** When the first deferred URL is due; none: {@link Long#MAX_VALUE}. */
    long nextDue = Long.MIN_VALUE;

    /** Sources that have no turn, by their ids; their URLs are not read ahead. */
    final Map<Long, WaitingSource> sources = new HashMap<>();

    /** Whether URLs read ahead were left out because of their sources. */
    boolean passedOver;

    /** The operators' signal when URLs were read ahead: an operator may change their sources. */
    long signal;

    /** How many links are kept outside of its frontier; not known yet: -1. */
    long outside = -1;

    DomainStatus status;
    JobStreak streak;

    /** What its visits have taught. */
    DomainLesson lesson = DomainLesson.NONE;

    /** How many pages a refresh may still visit because of hints. */
    private long hintsLeft;

    /** The checkpoint of its queue elsewhere that the next write has to keep. */
    private final AtomicReference<@Nullable QueueCheckpoint> checkpoint = new AtomicReference<>();

    /** What the operator has set. */
    public final HeldTerms terms;

    /** As the row has them, once this holder has written them. */
    private @Nullable Standing standing;

    private int claimClass;

    Held(Claims.Granted granted, String worker, long signal) {
      Claim claim = granted.claim();
      name = claim.domain();
      id = granted.id();
      hintsLeft = granted.hintsLeft();
      token = claim.token();
      status = DomainStatus.ACTIVE;
      streak = claim.job().streak();
      terms = new HeldTerms(id, claim.terms(), signal);
      this.worker = worker;
      imagesOnly = claim.imagesOnly();
      taken = new InFlightRows.TakenUrls(id, token);
    }

    /** The next write keeps this checkpoint. URLs without room count with those before. */
    public void keep(QueueCheckpoint next) {
      checkpoint.accumulateAndGet(
          next, (before, now) -> before == null || now == null ? now : now.after(before));
    }

    /** The row of a URL that was taken and is not settled. */
    public synchronized Optional<Waiting> inFlight(QueuedUrl entry) {
      return Optional.ofNullable(inFlight.get(entry.url()))
          .filter(waiting -> waiting.entry().equals(entry));
    }

    /** Whether the row still has this claim: an operator may have ended it. */
    boolean hasClaim(Statements sql) {
      return sql.exists(
          "SELECT 1 FROM domains WHERE id = ? AND claim_token = ? AND claimed_by = ?",
          id,
          token,
          worker);
    }

    /** Throws {@link ClaimLost} if the row has this claim no more. */
    public boolean requireClaim(Statements sql) {
      if (!hasClaim(sql)) {
        throw new ClaimLost(name, token);
      }
      return true;
    }

    /** Whether the row already has the standing of this state. */
    public boolean stands(DomainState state) {
      return state.standing().equals(standing) && StateColumns.claimClass(state) == claimClass;
    }

    /** The row has this state now. */
    public void written(DomainState state) {
      standing = state.standing();
      claimClass = StateColumns.claimClass(state);
      status = state.standing().status();
    }

    /** A URL may come before those read ahead, so they are read again. */
    void lookAgain() {
      ahead.clear();
      readAll = false;
    }

    /** What is read ahead is what is wanted. */
    void read(Wanted now) {
      if (wanted != now) {
        wanted = now;
        lookAgain();
        nextDue = Long.MIN_VALUE;
      }
    }

    /** URLs of sources that have a turn again are read ahead. */
    void heed(SourceWaits waits, Instant now) {
      boolean free = sources.values().removeIf(one -> waits.until(one.name(), now).isEmpty());
      sources.replaceAll((_, one) -> one.until(waits.until(one.name(), now)));
      if (free) {
        lookAgain();
      }
    }

    /** How many pages may be queued because of hints. The domain's worker alone hints. */
    public long hintsLeft() {
      return hintsLeft;
    }

    /** So many pages were queued because of hints. */
    public void hinted(int pages) {
      if (pages > 0) {
        hintsLeft -= pages;
        entered(Integer.MIN_VALUE);
      }
    }

    /** A URL entered at this place. Any thread may call it. */
    void entered(int place) {
      earliest.accumulateAndGet(place, Math::min);
    }

    /** URLs read ahead stay valid while all later arrivals come after them. */
    void heedArrivals() {
      int place = earliest.getAndSet(Integer.MAX_VALUE);
      readAll &= place == Integer.MAX_VALUE;
      if (!ahead.isEmpty() && place < ahead.getLast().place()) {
        lookAgain();
      }
    }

    /**
     * Whether a look at the rows would show nothing: all due URLs are taken and not settled yet,
     * and none has entered since. With nothing in flight the rows are always looked at, because the
     * domain's work may end with the answer.
     */
    boolean isDrained(long overtaken) {
      return ahead.isEmpty() && readAll && readAfter == overtaken && !inFlight.isEmpty();
    }
  }

  private final StoreSettings settings;
  private final String worker;
  private final Statements writing;
  private final GroupWriter writer;
  private final ReaderThread reader;
  private final ReadAhead readAhead;
  private final OperatorSignal operators;
  private final Map<DomainName, Held> held = new ConcurrentHashMap<>();

  /** How often other writers have written. Only the writer's thread changes it. */
  private final AtomicLong overtaken = new AtomicLong();

  public HeldDomains(
      StoreSettings settings,
      String worker,
      Statements writing,
      GroupWriter writer,
      ReaderThread reader,
      ReadAhead readAhead,
      OperatorSignal operators) {
    this.settings = settings;
    this.worker = worker;
    this.writing = writing;
    this.writer = writer;
    this.reader = reader;
    this.readAhead = readAhead;
    this.operators = operators;
  }

  @Override
  public void overtaken() {
    overtaken.incrementAndGet();
  }

  /** Holds a domain; the operators' signal is that of the transaction that granted it. */
  public void take(Claims.Granted granted, long signal) {
    held.put(granted.claim().domain(), new Held(granted, worker, signal));
  }

  /** A domain with an expired lease gets no more URLs, even if its holder never writes. */
  public void dropAll(Collection<DomainName> ended) {
    ended.stream().map(held::get).filter(Objects::nonNull).forEach(this::drop);
  }

  public void drop(Held domain) {
    held.remove(domain.name, domain);
  }

  /** How many there are. */
  public int size() {
    return held.size();
  }

  /** The domain of that name, where it is held. */
  public Optional<Held> find(DomainName name) {
    return Optional.ofNullable(held.get(name));
  }

  /**
   * The domain this claim holds.
   *
   * @throws ClaimLost if it holds none
   */
  public Held of(Claim claim) {
    Held domain = held.get(claim.domain());
    if (domain == null || domain.token != claim.token()) {
      throw new ClaimLost(claim.domain(), claim.token());
    }
    return domain;
  }

  /** What the operator wants of a domain, read again if an operator has changed anything. */
  public OperatorTerms terms(Held domain) {
    if (!domain.terms.areCurrent(operators.count())) {
      write(domain, () -> domain.requireClaim(writing));
    }
    return domain.terms.known();
  }

  /** Writes on behalf of a claim; a domain with a lost claim is dropped. */
  public <T> T write(Held domain, Supplier<T> work) {
    try {
      QueueCheckpoint checkpoint = domain.checkpoint.get();
      T result =
          writer.write(
              () -> {
                if (checkpoint != null) {
                  domain.requireClaim(writing);
                  new QueueRows(writing).write(domain.id, checkpoint, now());
                }
                T done = work.get();
                domain.terms.read(writing, overtaken.get(), operators.count());
                return done;
              });
      domain.checkpoint.compareAndSet(checkpoint, null);
      return result;
    } catch (ClaimLost lost) {
      drop(domain);
      throw lost;
    }
  }

  @Override
  public Next next(Claim claim, Instant now, Wanted wanted, SourceWaits waits) {
    Held domain = of(claim);
    synchronized (domain) {
      domain.read(wanted);
      domain.heedArrivals();
      domain.heed(waits, now);
      if (domain.signal != operators.count()) {
        domain.lookAgain();
      }
      boolean due = domain.nextDue <= now.toEpochMilli();
      if (due || (domain.ahead.isEmpty() && !domain.isDrained(overtaken.get()))) {
        lookAhead(domain, now.toEpochMilli());
      }
      Waiting next = ReadAhead.admitted(domain, waits, now);
      while (next == null && domain.passedOver) {
        domain.passedOver = false;
        fill(domain);
        next = ReadAhead.admitted(domain, waits, now);
      }
      if (next == null) {
        return domain.ahead.isEmpty()
            ? ReadAhead.none(domain)
            : new Next.DueAt(now.plus(QUARANTINE_WAIT));
      }
      domain.inFlight.put(next.entry().url(), next);
      domain.taken.add(next.id(), writer, new InFlightRows(writing), this::now);
      return new Next.Ready(next.entry());
    }
  }

  @Override
  public boolean isEmpty(Claim claim, Wanted wanted) {
    Held domain = of(claim);
    synchronized (domain) {
      domain.read(wanted);
      domain.heedArrivals();
      if (!domain.inFlight.isEmpty()) {
        return false;
      }
      if (domain.ahead.isEmpty()) {
        fill(domain);
      }
      return domain.ahead.isEmpty() && ReadAhead.none(domain) instanceof Next.Empty;
    }
  }

  /** URLs that have become due enter the queue first. */
  private void lookAhead(Held domain, long now) {
    fill(domain);
    if (domain.nextDue <= now) {
      writer.write(
          () ->
              writing.update(
                  "UPDATE domain_frontier SET due_at = NULL WHERE domain_id = ? AND state = 0"
                      + " AND due_at IS NOT NULL AND due_at <= ?",
                  domain.id,
                  now));
      fill(domain);
    }
  }

  private void fill(Held domain) {
    int most = settings.limits().aheadWith(held.size());
    domain.readAfter = overtaken.get();
    domain.signal = operators.count();
    Optional<String> damage = reader.read(_ -> readAhead.fill(domain, most, domain.wanted));
    if (damage.isPresent()) {
      throw setAside(domain, damage.get());
    }
  }

  /** Sets a claimed domain aside and returns the exception for its holder. */
  public ClaimLost setAside(Held domain, String reason) {
    writer.write(
        () -> {
          if (domain.hasClaim(writing)) {
            new DamagedDomains(writing).setAside(domain.id, reason, now());
          }
          return true;
        });
    drop(domain);
    return new ClaimLost(domain.name, domain.token, reason);
  }

  private long now() {
    return settings.clock().instant().toEpochMilli();
  }

  /** Follows settlements that are durable; returns whether URLs entered other domains. */
  public boolean settled(Settlements.Group group) {
    Held domain = group.held();
    synchronized (domain) {
      for (Settlements.Settling member : group.members()) {
        Settlement settlement = member.settlement();
        domain.inFlight.remove(settlement.entry().url());
        domain.streak = settlement.after(domain.streak);
        domain.written(settlement.state());
        switch (settlement.fate()) {
          case Fate.Retry(var due, _) ->
              domain.nextDue = Math.min(domain.nextDue, StateColumns.ceilMillis(due));
          case Fate.Returned _ -> domain.lookAgain();
          case Fate _ -> {}
        }
      }
    }
    return entered(domain, group.found());
  }

  /** URLs that were taken are no more in the store. */
  public void handedOver(Held domain, List<QueuedUrl> urls) {
    synchronized (domain) {
      urls.forEach(url -> domain.inFlight.remove(url.url()));
    }
  }

  /** Known URLs of a held domain were put back into its queue. */
  public void requeued(Held domain) {
    domain.entered(Integer.MIN_VALUE);
  }

  /** URLs have entered frontiers; returns whether one is of another domain than this. */
  public boolean entered(Held domain, List<Arrival> found) {
    entered(found);
    return found.stream().anyMatch(one -> !one.skipped() && !one.domain().equals(domain.name));
  }

  /** URLs have entered frontiers, and some may come before those read ahead. */
  public void entered(List<Arrival> found) {
    for (Arrival arrival : found) {
      Held domain = arrival.skipped() ? null : held.get(arrival.domain());
      if (domain != null) {
        domain.entered(FrontierCodes.place(arrival.entry()));
      }
    }
  }
}
