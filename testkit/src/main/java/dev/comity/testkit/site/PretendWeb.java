package dev.comity.testkit.site;

import dev.comity.core.outcome.Body;
import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.outcome.FetchOutcome.ClientError;
import dev.comity.core.outcome.FetchOutcome.DnsFailed;
import dev.comity.core.outcome.FetchOutcome.Success;
import dev.comity.core.outcome.Fetched;
import dev.comity.core.outcome.Headers;
import dev.comity.core.port.Signal;
import dev.comity.core.port.Timeline;
import dev.comity.core.port.fetch.Fetcher;
import dev.comity.core.port.fetch.ImageRef;
import dev.comity.core.port.fetch.ImageSighting;
import dev.comity.core.port.fetch.LinkExtractor;
import dev.comity.core.port.fetch.PageReading;
import dev.comity.core.port.fetch.PageText;
import dev.comity.core.port.fetch.RobotsReader;
import dev.comity.core.port.fetch.RobotsRules;
import dev.comity.core.port.fetch.SitemapReader;
import dev.comity.core.url.Authority;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.usage.ResponseWishes;
import dev.comity.core.usage.UsageLines;
import dev.comity.core.usage.Wish.FoundIn;
import dev.comity.core.usage.Wishes;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Sites that answer by script. A page's body is its links, one a line, and lines of {@code image
 * URL} and {@code robots DIRECTIVES}; a robots.txt is lines of {@code deny PREFIX}, {@code delay
 * SECONDS}, {@code sitemap URL} and {@code signal CONTENT-SIGNAL}; a sitemap is lines of {@code
 * page URL} and {@code sitemap URL}. A host without a script has no address.
 */
public final class PretendWeb implements Fetcher, LinkExtractor, RobotsReader, SitemapReader {
  private final Timeline time;
  private final Map<String, Site> sites = new HashMap<>();
  private final List<Visit> visits = new ArrayList<>();

  public PretendWeb(Timeline time) {
    this.time = time;
  }

  /** One request as the server saw it. */
  public record Visit(CrawlUrl url, Instant startedAt, int inFlight) {}

  /** One host's script. */
  public static final class Site {
    private final Map<String, Function<Instant, FetchOutcome>> answers = new HashMap<>();
    private Duration connect = Duration.ofMillis(20);
    private Duration latency = Duration.ofMillis(80);
    private Duration hesitation = Duration.ZERO;
    private final Map<String, Duration> latencies = new HashMap<>();
    private boolean deaf;
    private Function<Instant, FetchOutcome> otherwise = _ -> new ClientError(404);
    private Function<Instant, Optional<FetchOutcome>> noConnection = _ -> Optional.empty();
    private Optional<String> address = Optional.empty();
    private Duration lookUp = Duration.ZERO;
    private Optional<Function<String, FetchOutcome>> any = Optional.empty();
    private int inFlight;

    /** This target answers with a page that has these links. */
    public Site page(String target, String... links) {
      return answer(target, new Success(200, Headers.NONE, Body.of(String.join("\n", links))));
    }

    public Site answer(String target, FetchOutcome outcome) {
      return answer(target, (Instant _) -> outcome);
    }

    /** This target's answer depends on the time it is asked. */
    public Site answer(String target, Function<Instant, FetchOutcome> script) {
      answers.put(target, script);
      return this;
    }

    /** What every target without a script answers. */
    public Site otherwise(Function<Instant, FetchOutcome> script) {
      otherwise = script;
      return this;
    }

    /** What every target without a script answers, by the target. */
    public Site any(Function<String, FetchOutcome> script) {
      any = Optional.of(script);
      return this;
    }

    private FetchOutcome answer(String target, Instant now) {
      Function<Instant, FetchOutcome> script = answers.get(target);
      return script == null && any.isPresent()
          ? any.get().apply(target)
          : answers.getOrDefault(target, otherwise).apply(now);
    }

    public Site latency(Duration connecting, Duration answering) {
      connect = connecting;
      latency = answering;
      return this;
    }

    /**
     * So long passes between the permission to write a request to it and its first byte: the thread
     * is held up.
     */
    public Site hesitation(Duration holdUp) {
      hesitation = holdUp;
      return this;
    }

    /** This target alone takes so long to answer. */
    public Site latency(String target, Duration answering) {
      latencies.put(target, answering);
      return this;
    }

    /** A request to it goes on to its end, though it was interrupted: some reads are like that. */
    public Site deaf() {
      deaf = true;
      return this;
    }

    /** It is at this address, which it may share with others; without a word at one of its own. */
    public Site at(String shared) {
      address = Optional.of(shared);
      return this;
    }

    /** Looking its name up takes so long. */
    public Site lookUp(Duration taking) {
      lookUp = taking;
      return this;
    }

    /** No connection is ever made. */
    public Site unconnectable(FetchOutcome outcome) {
      return unconnectable(_ -> Optional.of(outcome));
    }

    /** At some times no connection is made. */
    public Site unconnectable(Function<Instant, Optional<FetchOutcome>> script) {
      noConnection = script;
      return this;
    }
  }

  /** The site at this host, or host and port. */
  public Site site(String authority) {
    return sites.computeIfAbsent(authority, _ -> new Site());
  }

  /** Every request so far, in order of their starts. */
  public List<Visit> visits() {
    return List.copyOf(visits);
  }

  /** The targets asked so far, in order. */
  public List<String> asked() {
    return visits.stream().map(visit -> visit.url().toString()).toList();
  }

  @Override
  public Fetched fetch(CrawlUrl url, Want want, Duration firstByte, Departure departure)
      throws InterruptedException {
    Site site = sites.get(url.authority().toString());
    if (site == null) {
      return fetched(new DnsFailed("no such host"), Optional.empty());
    }
    pass(site, site.connect);
    Optional<FetchOutcome> noConnection = site.noConnection.apply(time.instant());
    if (noConnection.isPresent()) {
      return fetched(noConnection.get(), Optional.empty());
    }
    if (!departure.start()) {
      return fetched(new FetchOutcome.Cancelled(), Optional.empty());
    }
    if (site.hesitation.isPositive()) {
      time.await(new Signal(), time.instant().plus(site.hesitation));
    }
    departure.started();
    site.inFlight++;
    try {
      visits.add(new Visit(url, time.instant(), site.inFlight));
      FetchOutcome outcome = site.answer(url.target(), time.instant());
      if (outcome instanceof Success success) {
        Optional<FetchOutcome> refused = departure.refuse(success.code(), success.headers());
        if (refused.isPresent()) {
          outcome = refused.get();
        } else {
          departure.reserve(success.body().length());
        }
      }
      Duration latency = site.latencies.getOrDefault(url.target(), site.latency);
      pass(site, latency);
      return fetched(outcome, Optional.of(latency));
    } finally {
      site.inFlight--;
    }
  }

  @Override
  public String address(Authority authority) throws InterruptedException {
    Site site = sites.get(authority.toString());
    if (site == null) {
      return authority.host();
    }
    if (site.lookUp.isPositive()) {
      pass(site, site.lookUp);
    }
    return site.address.orElse(authority.host());
  }

  @Override
  public boolean reaches(Authority authority) throws InterruptedException {
    Site site = sites.get(authority.toString());
    if (site == null) {
      return false;
    }
    pass(site, site.connect);
    return site.noConnection.apply(time.instant()).isEmpty();
  }

  private void pass(Site site, Duration duration) throws InterruptedException {
    Instant until = time.instant().plus(duration);
    do {
      try {
        time.await(new Signal(), until);
      } catch (InterruptedException interrupted) {
        if (!site.deaf) {
          throw interrupted;
        }
      }
    } while (time.instant().isBefore(until));
  }

  private static Fetched fetched(FetchOutcome outcome, Optional<Duration> firstByte) {
    long bytes = outcome instanceof Success success ? success.body().length() : 0;
    return new Fetched(outcome, firstByte, firstByte.orElse(Duration.ZERO), bytes);
  }

  @Override
  public Wishes wishes(Headers headers) {
    return ResponseWishes.ofHeader(headers::all, "Comity", time.instant());
  }

  private Wishes wishes(Success page, List<String> lines) {
    ResponseWishes wishes = new ResponseWishes("Comity", time.instant());
    wishes.header(page.headers()::all);
    values(lines, "robots ").forEach(words -> wishes.meta("robots", words));
    return wishes.wishes();
  }

  @Override
  public Extraction extract(CrawlUrl url, Success page) {
    List<String> lines = text(page.body()).lines().toList();
    List<CrawlUrl> links =
        resolved(
            url,
            lines.stream()
                .filter(line -> !line.startsWith("image ") && !line.startsWith("robots "))
                .filter(line -> !line.startsWith("feed "))
                .toList());
    List<ImageRef> images =
        resolved(url, values(lines, "image ")).stream()
            .map(image -> new ImageRef(image, "", ImageRef.Source.IMG))
            .toList();
    return new Extraction(
        Optional.of("Page " + url.target()),
        links,
        PageText.of(text(page.body())),
        Optional.empty(),
        images,
        0,
        true,
        new PageReading(
            "",
            wishes(page, lines),
            resolved(url, values(lines, "feed ")),
            () -> images.stream().map(PretendWeb::sighting).toList()));
  }

  private static ImageSighting sighting(ImageRef image) {
    return new ImageSighting(
        image.url(),
        image.source(),
        "",
        image.alt(),
        "",
        "",
        "",
        "",
        OptionalInt.empty(),
        OptionalInt.empty(),
        Optional.empty(),
        Optional.empty(),
        "",
        "");
  }

  private static List<CrawlUrl> resolved(CrawlUrl url, List<String> references) {
    return references.stream()
        .map(url::resolve)
        .filter(CrawlUrl.class::isInstance)
        .map(CrawlUrl.class::cast)
        .toList();
  }

  @Override
  public RobotsRules read(Body robotsTxt) {
    List<String> lines = text(robotsTxt).lines().toList();
    List<String> denied = values(lines, "deny ");
    Optional<Duration> delay =
        values(lines, "delay ").stream()
            .findFirst()
            .map(text -> Duration.ofSeconds(Long.parseLong(text)));
    return new RobotsRules() {
      @Override
      public boolean allows(CrawlUrl url) {
        return denied.stream().noneMatch(url.target()::startsWith);
      }

      @Override
      public boolean deniesEverything() {
        return denied.contains("/");
      }

      @Override
      public Optional<Duration> crawlDelay() {
        return delay;
      }

      @Override
      public List<String> sitemaps() {
        return values(lines, "sitemap ");
      }

      @Override
      public Wishes wishes(CrawlUrl url) {
        return Wishes.of(
            values(lines, "signal ").stream()
                .flatMap(line -> UsageLines.contentSignal(line, FoundIn.ROBOTS_TXT).stream())
                .toList());
      }
    };
  }

  /** A tdmrep.json is lines of {@code reserve PREFIX}. */
  @Override
  public Reservations reservations(Body tdmRep) {
    List<String> reserved = values(text(tdmRep).lines().toList(), "reserve ");
    return reserved.isEmpty()
        ? Reservations.NONE
        : url ->
            reserved.stream().anyMatch(url.target()::startsWith)
                ? Wishes.of(List.of(UsageLines.tdmReservation("1", FoundIn.TDMREP_FILE)))
                : Wishes.NONE;
  }

  @Override
  public boolean recognizes(Body body) {
    return text(body).isBlank()
        || text(body).startsWith("page ")
        || text(body).startsWith("sitemap ");
  }

  @Override
  public Tally read(Body body, Consumer<Listed> listed) {
    List<String> lines = text(body).lines().toList();
    values(lines, "page ").forEach(url -> listed.accept(new Listed.SitemapPage(CrawlUrl.of(url))));
    values(lines, "sitemap ").forEach(url -> listed.accept(new Listed.Sitemap(CrawlUrl.of(url))));
    return new Tally(lines.size(), 0, true);
  }

  private static List<String> values(List<String> lines, String key) {
    return lines.stream()
        .filter(line -> line.startsWith(key))
        .map(line -> line.substring(key.length()))
        .toList();
  }

  private static String text(Body body) {
    return new String(body.bytes(), StandardCharsets.UTF_8);
  }
}
