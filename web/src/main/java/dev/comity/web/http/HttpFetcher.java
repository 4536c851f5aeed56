package dev.comity.web.http;

import dev.comity.core.outcome.Announced;
import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.outcome.FetchOutcome.Cancelled;
import dev.comity.core.outcome.FetchOutcome.ConnectionFailed;
import dev.comity.core.outcome.FetchOutcome.Undecodable;
import dev.comity.core.outcome.Fetched;
import dev.comity.core.outcome.Headers;
import dev.comity.core.outcome.RetryAfter;
import dev.comity.core.port.fetch.Fetcher;
import dev.comity.core.scope.AcceptedTypes;
import dev.comity.core.url.Authority;
import dev.comity.core.url.CrawlUrl;
import dev.comity.web.http.BodyReader.ReadBody;
import dev.comity.web.http.FetchProgress.ResponseHead;
import dev.comity.web.http.Http1Connection.Endpoint;
import dev.comity.web.net.AddressGuard;
import dev.comity.web.net.AddressRefusal;
import dev.comity.web.net.DnsCache.LookupStarved;
import dev.comity.web.net.Egress;
import dev.comity.web.net.GuardedSockets;
import dev.comity.web.net.OpenFiles;
import dev.comity.web.net.Tls;
import dev.comity.web.wall.WallDetector;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.LongConsumer;

/**
 * Fetches over HTTP/1.1, in clear or over TLS, directly or through a proxy: one request a fetch,
 * without redirects, retries, cookies or cache.
 *
 * <p>Call it on a virtual thread: interrupting one closes the socket it waits on, which is how a
 * fetch is stopped at once.
 */
public final class HttpFetcher implements Fetcher, AutoCloseable {
  private final AddressGuard guard;
  private final Egress egress;
  private final GuardedSockets sockets;
  private final Requests requests;
  private final Http1 http1;
  private final FetchSettings settings;
  private final InstantSource clock;
  private final FailureReasons failures;
  private final Descriptors descriptors;

  public HttpFetcher(
      FetchSettings settings, UserAgent userAgent, AddressGuard guard, InstantSource clock) {
    this(settings, userAgent, guard, Egress.DIRECT, clock);
  }

  /** A fetcher with its own egress. */
  public HttpFetcher(
      FetchSettings settings,
      UserAgent userAgent,
      AddressGuard guard,
      Egress egress,
      InstantSource clock) {
    this(settings, userAgent, guard, egress, clock, egress.certificates().tls());
  }

  /** A fetcher that trusts other certificates than the system does. */
  public HttpFetcher(
      FetchSettings settings,
      UserAgent userAgent,
      AddressGuard guard,
      InstantSource clock,
      Tls tls) {
    this(settings, userAgent, guard, Egress.DIRECT, clock, tls);
  }

  HttpFetcher(
      FetchSettings settings,
      UserAgent userAgent,
      AddressGuard guard,
      Egress egress,
      InstantSource clock,
      Tls tls) {
    this.settings = settings;
    this.clock = clock;
    this.failures = new FailureReasons(settings);
    this.guard = guard;
    this.egress = egress;
    this.sockets = new GuardedSockets(guard, egress.proxy());
    Optional<HttpProxy> proxy = egress.httpProxy().map(server -> new HttpProxy(server, userAgent));
    this.requests = new Requests(userAgent, egress.headers(), proxy, settings.accepted());
    this.http1 =
        new Http1(
            settings, new BodyReader(settings), new Http1Dialer(settings, sockets, proxy, tls));
    this.descriptors = Descriptors.ofThisProcess(http1::closeIdle);
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  @Override
  public Fetched fetch(CrawlUrl url, Want want, Duration firstByte, Departure departure)
      throws InterruptedException {
    FetchProgress progress = new FetchProgress(shorter(firstByte, settings.firstByte()), departure);
    ReadBody read = connecting(url, want, progress);
    WireTape tape = progress.tape();
    if (tape != null) {
      tape.exchange(
              requests.withoutSecrets(url, want, departure.validators()), egress.proxy().isEmpty())
          .ifPresent(departure::exchanged);
    }
    Headers headers = progress.answer().map(ResponseHead::headers).orElse(Headers.NONE);
    Fetched fetched =
        new Fetched(read.outcome(), progress.firstByte(), progress.elapsed(), read.wireBytes())
            .announcing(announced(read.outcome(), headers));
    return want == Want.PAGE ? WallDetector.judged(url, headers, fetched) : fetched;
  }

  /** A redirect may say how long to stay away, too; a refusal has said so already. */
  private Announced announced(FetchOutcome outcome, Headers headers) {
    Instant now = clock.instant();
    Announced said = Announced.read(headers, now);
    return outcome instanceof FetchOutcome.Redirect
        ? said.resting(RetryAfter.read(headers, now).orElse(Duration.ZERO))
        : said;
  }

  @Override
  public AcceptedTypes accepted() {
    return settings.accepted();
  }

  @Override
  public boolean reaches(Authority authority) throws InterruptedException {
    boolean reached = sockets.reaches(authority.host(), authority.port(), settings.connect());
    if (!reached && Thread.interrupted()) {
      throw new InterruptedException("the attempt to connect was stopped");
    }
    return reached;
  }

  /** The first address that would be tried; it is the one that is asked unless it is dead. */
  @Override
  public String address(Authority authority) throws InterruptedException {
    try {
      guard.admitPort(authority.host(), authority.port());
      return guard.resolve(authority.host(), authority.port()).getFirst().getHostAddress();
    } catch (IOException _) {
      if (Thread.interrupted()) {
        throw new InterruptedException("the look-up was stopped");
      }
      return authority.host();
    }
  }

  /** Asks as soon as there is a file descriptor for a connection. */
  private ReadBody connecting(CrawlUrl url, Want want, FetchProgress progress)
      throws InterruptedException {
    while (true) {
      progress.hold(descriptors::enter);
      boolean[] connected = {false};
      progress.whenConnected(
          () -> {
            connected[0] = true;
            descriptors.connected();
          });
      try {
        return affordable(url, want, progress);
      } catch (OutOfDescriptors _) {
        // Nothing was sent: it is tried again.
      } finally {
        descriptors.leave(connected[0]);
      }
      progress.hold(descriptors::ranOut);
    }
  }

  /** No connection could be opened because the process may open no more files. */
  private static final class OutOfDescriptors extends IOException {}

  /** An answer that needs more memory than there is costs its URL, not the crawl. */
  private ReadBody affordable(CrawlUrl url, Want want, FetchProgress progress)
      throws OutOfDescriptors, InterruptedException {
    try {
      return readOf(url, want, progress);
    } catch (OutOfMemoryError _) {
      return new ReadBody(
          progress
              .answer()
              .<FetchOutcome>map(
                  answer -> new Undecodable(answer.code(), "reading it took too much memory"))
              .orElseGet(Cancelled::new),
          0);
    }
  }

  private ReadBody readOf(CrawlUrl url, Want want, FetchProgress progress)
      throws OutOfDescriptors, InterruptedException {
    try {
      admit(url);
    } catch (AddressRefusal refusal) {
      return new ReadBody(refusal.outcome(), 0);
    }
    try {
      return http1
          .ask(Endpoint.of(url), requests.get(url, want, progress.validators()), want, progress)
          .orElseGet(() -> new ReadBody(judged(url, progress.answer().orElseThrow()), 0));
    } catch (IOException failure) {
      if (Thread.interrupted()) {
        throw new InterruptedException("the fetch was stopped");
      }
      WireTape tape = progress.tape();
      if (tape != null) {
        tape.failed(failure);
      }
      return new ReadBody(failed(url, progress, failure), 0);
    }
  }

  /** What can be refused before any look-up; the guard checks the rest when it connects. */
  private void admit(CrawlUrl url) throws AddressRefusal {
    if (egress.httpProxy().isPresent()) {
      guard.admitUnseen(url.host(), url.port());
    } else {
      guard.admitPort(url.host(), url.port());
    }
  }

  /** Where the status says it all, it counts whatever came after it. */
  private FetchOutcome failed(CrawlUrl url, FetchProgress progress, IOException failure)
      throws OutOfDescriptors {
    if (!progress.sent() && (failure instanceof LookupStarved || OpenFiles.ranOut(failure))) {
      throw new OutOfDescriptors();
    }
    return progress
        .answer()
        .filter(answer -> !Statuses.hasBody(answer.code()))
        .map(answer -> judged(url, answer))
        .orElseGet(() -> blamed(failures.explained(failure, progress), progress));
  }

  /**
   * A connection that broke while its body waited for memory as long as we would wait for the
   * server: that is our fault, and the URL is asked again.
   */
  private FetchOutcome blamed(FetchOutcome failure, FetchProgress progress) {
    return failure instanceof ConnectionFailed && progress.heldUp().compareTo(settings.idle()) >= 0
        ? new Cancelled()
        : failure;
  }

  private FetchOutcome judged(CrawlUrl url, ResponseHead answer) {
    if (answer.code() == HttpProxy.LOG_IN_REFUSED && egress.httpProxy().isPresent()) {
      // The proxy answered, and not for this URL.
      return new ConnectionFailed("the proxy wants another log-in");
    }
    return Statuses.outcome(url, answer.code(), answer.headers(), clock.instant());
  }

  /**
   * Sets the listener that is told once when connections wait for file descriptors.
   *
   * @param listener hears how many the process may have
   */
  public void tellOfShortage(LongConsumer listener) {
    descriptors.tell(listener);
  }

  /** Closes the connections that are kept for reuse. */
  @Override
  public void close() {
    http1.close();
  }
}
