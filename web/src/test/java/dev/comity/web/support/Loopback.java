package dev.comity.web.support;

import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.outcome.Fetched;
import dev.comity.core.port.fetch.Fetcher.Departure;
import dev.comity.core.port.fetch.Fetcher.Want;
import dev.comity.core.url.CrawlUrl;
import dev.comity.web.http.FetchSettings;
import dev.comity.web.http.HttpFetcher;
import dev.comity.web.http.UserAgent;
import dev.comity.web.net.AddressGuard;
import dev.comity.web.net.Resolver;
import dev.comity.web.net.Tls;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;

/** A fetcher for servers on this machine, with limits small enough to be reached in a test. */
public final class Loopback implements AutoCloseable {
  public static final Instant NOW = Instant.parse("2026-11-15T12:00:00Z");

  /** Longer than any setting, so that the settings decide. */
  public static final Duration PATIENT = Duration.ofHours(1);

  private static final Duration LONG = Duration.ofSeconds(60);
  private static final Duration SHORT = Duration.ofMillis(200);

  public static final Duration ENOUGH = Duration.ofSeconds(20);

  private final AddressGuard guard = new AddressGuard(Resolver.SYSTEM, false);
  private final HttpFetcher fetcher;

  private Loopback(FetchSettings settings, Tls trust) {
    UserAgent agent = new UserAgent("1.2.3", Optional.of("https://example.org/bot"));
    this.fetcher = new HttpFetcher(settings, agent, guard, InstantSource.fixed(NOW), trust);
  }

  /** Waits long enough for anything; pages may have 100,000 bytes and robots.txt 1,000. */
  public static Loopback patient() {
    return patient(Line.trust());
  }

  public static Loopback patient(Tls trust) {
    return new Loopback(settings(LONG, LONG, LONG), trust);
  }

  public static Loopback withShortFirstByte(Tls trust) {
    return new Loopback(settings(SHORT, LONG, LONG), trust);
  }

  public static Loopback withShortIdle(Tls trust) {
    return new Loopback(settings(LONG, SHORT, LONG), trust);
  }

  public static Loopback withShortTotal(Tls trust) {
    return new Loopback(settings(LONG, LONG, Duration.ofMillis(500)), trust);
  }

  /** Never waits longer than {@link #ENOUGH}, and not long for the rest of a body. */
  public static Loopback withLittleTime() {
    return new Loopback(settings(LONG, SHORT.multipliedBy(2), ENOUGH), Line.trust());
  }

  private static FetchSettings settings(Duration firstByte, Duration idle, Duration total) {
    return new FetchSettings(LONG, firstByte, idle, total, 100_000, 1_000, 8, LONG);
  }

  public FetchOutcome page(CrawlUrl url) throws InterruptedException {
    return fetch(url, Want.PAGE, () -> {}).outcome();
  }

  public FetchOutcome robots(CrawlUrl url) throws InterruptedException {
    return fetch(url, Want.ROBOTS, () -> {}).outcome();
  }

  public Fetched fetch(CrawlUrl url, Want want, Runnable started) throws InterruptedException {
    guard.named(url.authority());
    return fetcher.fetch(
        url,
        want,
        PATIENT,
        new Departure() {
          @Override
          public boolean start() {
            return true;
          }

          @Override
          public void started() {
            started.run();
          }
        });
  }

  /** Fetches what nobody waits long for the first byte of. */
  public Fetched hurried(CrawlUrl url, Want want) throws InterruptedException {
    guard.named(url.authority());
    return fetcher.fetch(url, want, SHORT, () -> true);
  }

  public Fetched fetch(CrawlUrl url, Departure departure) throws InterruptedException {
    guard.named(url.authority());
    return fetcher.fetch(url, Want.PAGE, PATIENT, departure);
  }

  /** Fetches a page that is called back when its connection is there. */
  public FetchOutcome calledBack(CrawlUrl url) throws InterruptedException {
    guard.named(url.authority());
    return fetcher.fetch(url, Want.PAGE, PATIENT, () -> false).outcome();
  }

  @Override
  public void close() {
    fetcher.close();
  }
}
