package dev.comity.web.net;

import dev.comity.core.util.BoundedMap;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Asks another resolver, once per name for as long as the answer is good, and never waits for it
 * longer than it was told to.
 *
 * <p>The system's resolver cannot be interrupted and holds its thread while it waits, so it is
 * asked on threads of its own: a crawl's virtual threads share a few, and four silent name servers
 * would stop them all. A request for a name that is being looked up waits for the same answer.
 */
public final class DnsCache implements Resolver {
  /** How long addresses are taken for good; a name server's own time is not told to us. */
  static final Duration GOOD_FOR = Duration.ofMinutes(5);

  /** How long a name is not asked for again after there was no address. */
  static final Duration BAD_FOR = Duration.ofSeconds(10);

  private static final int MOST_NAMES = 10_000;
  private static final int MOST_THREADS = 128;

  private final Resolver resolver;
  private final Duration patience;
  private final InstantSource clock;
  private final ThreadPoolExecutor threads;
  private final BoundedMap<String, CompletableFuture<Found>> questions =
      BoundedMap.byPut(MOST_NAMES);

  /**
   * An empty cache.
   *
   * @param patience how long an answer is waited for
   */
  public DnsCache(Resolver resolver, Duration patience, InstantSource clock) {
    this.resolver = resolver;
    this.patience = patience;
    this.clock = clock;
    this.threads =
        new ThreadPoolExecutor(
            MOST_THREADS,
            MOST_THREADS,
            30,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(),
            Thread.ofPlatform().daemon().name("look-up-", 0).factory());
    threads.allowCoreThreadTimeOut(true);
  }

  /**
   * What was found.
   *
   * @param addresses none if the name has none, or if no answer came in time
   * @param starved whether it could not be asked for want of file descriptors
   */
  private record Found(List<InetAddress> addresses, boolean inTime, boolean starved, Instant at) {
    boolean isGood(Instant now) {
      return !starved && now.isBefore(at.plus(addresses.isEmpty() ? BAD_FOR : GOOD_FOR));
    }
  }

  @Override
  public List<InetAddress> resolve(String host) throws UnknownHostException {
    // An address needs no looking up, and no thread to find that out.
    var literal = Literals.read(host);
    return literal.isPresent() ? List.of(literal.get()) : lookedUp(host.toLowerCase(Locale.ROOT));
  }

  private List<InetAddress> lookedUp(String host) throws UnknownHostException {
    Found found = found(host);
    if (!found.inTime()) {
      throw new LookupTimedOut(host, patience);
    }
    if (found.starved()) {
      throw new LookupStarved(host);
    }
    if (found.addresses().isEmpty()) {
      throw new UnknownHostException(host);
    }
    return found.addresses();
  }

  private Found found(String host) throws UnknownHostException {
    CompletableFuture<Found> question = question(host);
    try {
      return question.get(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException _) {
      // The next caller need not wait as long for the same answer.
      question.complete(new Found(List.of(), false, false, clock.instant()));
      return question.join();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      throw new UnknownHostException(host);
    } catch (ExecutionException broken) {
      throw new IllegalStateException("a look-up fails by finding nothing", broken);
    }
  }

  private CompletableFuture<Found> question(String host) {
    Instant now = clock.instant();
    synchronized (questions) {
      CompletableFuture<Found> known = questions.get(host);
      if (known != null && (!known.isDone() || known.join().isGood(now))) {
        return known;
      }
      CompletableFuture<Found> question = new CompletableFuture<>();
      questions.putLast(host, question);
      threads.execute(() -> lookUp(host, question));
      return question;
    }
  }

  private void lookUp(String host, CompletableFuture<Found> question) {
    if (question.isDone()) {
      // It waited for a thread longer than anyone for the answer.
      return;
    }
    List<InetAddress> addresses = List.of();
    boolean starved = false;
    try {
      addresses = List.copyOf(resolver.resolve(host));
    } catch (UnknownHostException _) {
      // "No such name" is an answer, too, if a server could be asked.
      starved = OpenFiles.areNoneLeft();
    } finally {
      question.complete(new Found(addresses, true, starved, clock.instant()));
    }
  }

  /** No name server said whether a name has an address, neither yes nor no. */
  public static final class LookupTimedOut extends UnknownHostException {
    private final transient Duration after;

    LookupTimedOut(String host, Duration after) {
      super(host);
      this.after = after;
    }

    /** How long it was waited for. */
    public Duration after() {
      return after;
    }
  }

  /** A name could not be looked up because the process may open no more files. */
  public static final class LookupStarved extends UnknownHostException {
    LookupStarved(String host) {
      super(host);
    }
  }
}
