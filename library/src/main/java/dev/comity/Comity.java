package dev.comity;

import dev.comity.core.engine.Crawl;
import dev.comity.core.engine.SystemTimeline;
import dev.comity.core.engine.plan.CrawlLimits;
import dev.comity.core.engine.plan.CrawlPlan;
import dev.comity.core.engine.plan.DomainTerms;
import dev.comity.core.policy.DomainPolicy;
import dev.comity.core.policy.settings.PaceSettings;
import dev.comity.core.policy.settings.PolicySettings;
import dev.comity.core.port.run.Run;
import dev.comity.core.port.source.AddAnswer;
import dev.comity.core.port.store.CrawlStore;
import dev.comity.core.port.store.StoreLimits;
import dev.comity.core.scope.DroppedParameters;
import dev.comity.core.scope.PatternRefusal;
import dev.comity.core.scope.Scope;
import dev.comity.core.scope.Scope.Reach;
import dev.comity.core.scope.UrlPattern;
import dev.comity.core.trap.TrapSettings;
import dev.comity.core.url.DomainName;
import dev.comity.core.url.Grouping;
import dev.comity.core.url.Seed;
import dev.comity.core.url.UrlRefusal;
import dev.comity.core.usage.Purpose;
import dev.comity.keep.Keep;
import dev.comity.store.DataDirectory;
import dev.comity.store.sqlite.SqliteStore;
import dev.comity.web.http.FetchSettings;
import dev.comity.web.http.UserAgent;
import dev.comity.web.net.AddressGuard;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * One crawl, described and then run:
 *
 * {@snippet :
 * Summary summary =
 *     Comity.crawl("https://example.org/")
 *         .contact("you@example.org")
 *         .onPage(page -> pages.add(page))
 *         .run();
 * }
 *
 * <p>It prints nothing. Hooks are called from the crawl's own threads, one call at a time and after
 * what they tell of is settled; while one is at work nothing else is settled, so what takes long
 * belongs elsewhere. One that throws ends the crawl.
 */
public final class Comity {
  /** A site that asks for a longer delay is not crawled either. */
  private static final Duration LONGEST_DELAY = Duration.ofDays(30);

  /** Longer than any process lives, and still a time that can be added to another. */
  private static final Duration ENDLESS = Duration.ofDays(36_500);

  /** How much SLF4J prints of itself; set by the user's program, it stays as it is. */
  private static final String SLF4J_VERBOSITY = "slf4j.internal.verbosity";

  static {
    // A library in here logs through SLF4J, which prints a warning where no provider is set up.
    if (System.getProperty(SLF4J_VERBOSITY) == null) {
      System.setProperty(SLF4J_VERBOSITY, "ERROR");
    }
  }

  private final List<Seed> seeds;
  private final Map<Seed, Long> ranks = new LinkedHashMap<>();
  private final NetworkTerms network = new NetworkTerms();
  private final Map<DomainName, DomainTerms> domains = new LinkedHashMap<>();
  private final ContentTerms content = new ContentTerms();
  private Optional<String> contact = Optional.empty();
  private Optional<String> userAgent = Optional.empty();
  private DroppedParameters dropped = DroppedParameters.NONE;
  private Optional<Set<Purpose>> purposes = Optional.empty();
  private Duration delay = PaceSettings.DEFAULTS.minimum();
  private long maxPages = 1000;
  private long maxPagesPerDomain = 1000;
  private int maxDepth = Integer.MAX_VALUE;
  private Optional<Duration> maxTime = Optional.empty();
  private Reach reach = Reach.SEEDS;
  private final List<UrlPattern> include = new ArrayList<>();
  private final List<UrlPattern> exclude = new ArrayList<>();
  private boolean sitemaps = true;
  private Optional<Path> data = Optional.empty();
  private Optional<Consumer<ReadPage>> read = Optional.empty();
  private Optional<Predicate<Link>> follow = Optional.empty();
  private final StopSwitch stopping = new StopSwitch();
  private final ImageTerms images = new ImageTerms();
  private final SourceTerms sources = new SourceTerms();
  private Consumer<Page> page = _ -> {};
  private Consumer<Link> link = _ -> {};
  private Consumer<Outcome> outcome = _ -> {};

  private Comity(List<Seed> seeds) {
    this.seeds = new ArrayList<>(seeds);
  }

  /**
   * A crawl from these URLs or bare hosts.
   *
   * @throws CrawlRefused if one is neither, or there is none
   */
  public static Comity crawl(String... seeds) {
    if (seeds.length == 0) {
      throw new CrawlRefused("nowhere to start: name a URL such as https://example.com/");
    }
    return new Comity(Arrays.stream(seeds).map(Comity::seed).distinct().toList());
  }

  private static Seed seed(String text) {
    return switch (Seed.parse(text)) {
      case Seed seed -> seed;
      case UrlRefusal refusal -> throw new CrawlRefused(refusal.message());
    };
  }

  /** One more URL or host to start from; domains with a lower rank are crawled first. */
  public Comity seed(String url, long rank) {
    require("rank", rank, rank >= 1, "must be at least 1");
    Seed seed = seed(url);
    if (!seeds.contains(seed)) {
      seeds.add(seed);
    }
    ranks.merge(seed, rank, Math::min);
    return this;
  }

  /**
   * A source: requests for its URLs start at least an interval apart, on whatever domain. These
   * URLs are seeds of it.
   *
   * @param interval 0 for none
   */
  public Comity source(String name, Duration interval, String... urls) {
    require("interval", interval, !interval.isNegative(), "must not be negative; 0 means none");
    sources.source(name, interval);
    for (String url : urls) {
      Seed seed = seed(url);
      sources.seed(seed, name);
      if (!seeds.contains(seed)) {
        seeds.add(seed);
      }
    }
    return this;
  }

  /** Adds a URL of a source while {@link #run} is at work. Any thread may call it, and any hook. */
  public AddAnswer add(String url, String source) {
    return sources.add(url, Optional.of(source));
  }

  /** Adds a URL while {@link #run} is at work. Any thread may call it, and any hook. */
  public AddAnswer add(String url) {
    return sources.add(url, Optional.empty());
  }

  /** Goes to an address for a host and port, as {@code HOST:PORT:ADDRESS}. */
  public Comity resolve(String hostPortAddress) {
    network.resolve(hostPortAddress);
    return this;
  }

  /** Connects through {@code http://[NAME:PASSWORD@]HOST:PORT} or {@code socks5://...}. */
  public Comity proxy(String url) {
    network.proxy(url);
    return this;
  }

  /** Sends this header to that site only: a host, over https, or {@code http://HOST:PORT}. */
  public Comity header(String site, String name, String value) {
    network.header(site, name, value);
    return this;
  }

  /** Logs in to that site only. */
  public Comity user(String site, String name, String password) {
    network.user(site, name, password);
    return this;
  }

  /** Terms of one domain, in place of those of all. */
  public Comity domain(String name, DomainTerms terms) {
    domains.put(seed(name).url().domain(), terms);
    return this;
  }

  /** Keeps these parts of pages in the data directory, and has them made by the crawl's threads. */
  public Comity keep(Keep... parts) {
    content.keep(parts);
    return this;
  }

  /** Keeps a field of each page: what a CSS selector finds, as {@link Page#select} does. */
  public Comity select(String name, String css) {
    content.select(name, css);
    return this;
  }

  /**
   * Collects the images of pages, so many at most, whatever host they lie on. With {@link #data}
   * their files are kept.
   */
  public Comity images(long most) {
    images.collect(require("images", most, most >= 1, "must be at least 1"));
    return this;
  }

  /** Takes documents of these types for pages, too, such as {@code application/pdf}. */
  public Comity accept(String... types) {
    content.accept(types);
    return this;
  }

  /**
   * A web or mail address at which a site's owner reaches you; sent with every request. Nothing but
   * this machine is crawled without one.
   */
  public Comity contact(String address) {
    try {
      new UserAgent("0", Optional.of(address)).header();
    } catch (IllegalArgumentException wrong) {
      throw new CrawlRefused("contact: " + wrong.getMessage());
    }
    contact = Optional.of(address);
    return this;
  }

  /**
   * What the content is collected for; research by default. What a site refuses for one of these
   * purposes is not collected: by robots.txt, by a header, which leaves the body unread, or by the
   * page itself. A purpose that is named here is also compared with each authority's tdmrep.json,
   * for one request more.
   */
  public Comity purpose(Purpose first, Purpose... more) {
    purposes = Optional.of(EnumSet.of(first, more));
    return this;
  }

  /** The shortest time between two requests to one domain; one second by default. */
  public Comity delay(Duration least) {
    require("delay", least, !least.isNegative(), "must not be negative; 0 means none");
    delay = require("delay", least, least.compareTo(LONGEST_DELAY) <= 0, "must be 30 days at most");
    return this;
  }

  /** Ends after so many pages; 1000 by default. */
  public Comity maxPages(long most) {
    maxPages = require("maxPages", most, most >= 1, "must be at least 1");
    return this;
  }

  /** Asks no domain for more than so many pages; 1000 by default. */
  public Comity maxPagesPerDomain(long most) {
    maxPagesPerDomain = require("maxPagesPerDomain", most, most >= 1, "must be at least 1");
    return this;
  }

  /** The most links to follow from a seed; no limit by default. */
  public Comity maxDepth(int most) {
    maxDepth = require("maxDepth", most, most >= 0, "must be at least 0; 0 crawls the seeds alone");
    return this;
  }

  /** Stops after this time; no limit by default. */
  public Comity maxTime(Duration most) {
    require("maxTime", most, most.isPositive(), "must be more than 0");
    maxTime = Optional.of(most.compareTo(ENDLESS) < 0 ? most : ENDLESS);
    return this;
  }

  /**
   * The name of your own bot in place of Comity's, such as {@code MyBot/1.0}. The part before the
   * slash is the name that robots.txt files know it by. The contact is added.
   */
  public Comity userAgent(String own) {
    try {
      new UserAgent("0", Optional.empty(), Optional.of(own)).header();
    } catch (IllegalArgumentException wrong) {
      throw new CrawlRefused("userAgent: " + wrong.getMessage());
    }
    userAgent = Optional.of(own);
    return this;
  }

  /**
   * Links lose these parameters of their query before they are queued: names, beginnings such as
   * {@code utm_*}, or {@code tracking} for the usual ones.
   */
  public Comity dropParams(String... names) {
    try {
      dropped = DroppedParameters.of(Arrays.asList(names));
    } catch (IllegalArgumentException wrong) {
      throw new CrawlRefused(String.valueOf(wrong.getMessage()));
    }
    return this;
  }

  /** How far links may lead; to the seeds' domains by default. */
  public Comity scope(Reach far) {
    reach = far;
    return this;
  }

  /** Follows only URLs in which this regular expression, or another one included, is found. */
  public Comity include(String regex) {
    include.add(pattern("include", regex));
    return this;
  }

  /** Follows no URL in which this regular expression is found. */
  public Comity exclude(String regex) {
    exclude.add(pattern("exclude", regex));
    return this;
  }

  /** Whether the sitemaps that a robots.txt names are read; true by default. */
  public Comity sitemaps(boolean read) {
    sitemaps = read;
    return this;
  }

  /**
   * Keeps what is learnt in this directory, and continues there an unfinished crawl of the same
   * seeds, scope and budgets. By default nothing is kept.
   */
  public Comity data(Path directory) {
    data = Optional.of(directory);
    return this;
  }

  /** Follows only links and redirects in scope for which this is true. Of several, all must be. */
  public Comity follow(Predicate<Link> wanted) {
    follow = Optional.of(follow.map(before -> before.and(wanted)).orElse(wanted));
    return this;
  }

  /** Called with every page that was read, before it is settled; the hook may add URLs to it. */
  public Comity onRead(Consumer<ReadPage> hook) {
    read = Optional.of(read.map(before -> before.andThen(hook)).orElse(hook));
    return this;
  }

  /** Called with every page that has its answer. */
  public Comity onPage(Consumer<Page> hook) {
    page = page.andThen(hook);
    return this;
  }

  /** Called with every image that was taken; {@link #images} says how many may be. */
  public Comity onImage(Consumer<CollectedImage> hook) {
    images.hear(hook);
    return this;
  }

  /** Called with every link that is followed. */
  public Comity onLink(Consumer<Link> hook) {
    link = link.andThen(hook);
    return this;
  }

  /** Called with the outcome of every URL, each time it had its turn. */
  public Comity onOutcome(Consumer<Outcome> hook) {
    outcome = outcome.andThen(hook);
    return this;
  }

  /** Asks for nothing more, and lets {@link #run} return. Any thread may call it, and any hook. */
  public void stop() {
    stopping.stop();
  }

  /**
   * Crawls to the end. Interrupted, it asks for nothing more and waits a few seconds for answers
   * under way; what it has not come to is left for the next run, where there is a directory.
   *
   * @throws CrawlRefused if a seed may not be asked as things are
   * @throws dev.comity.core.engine.CrawlFailed if a hook throws or the store cannot go on
   */
  public Summary run() throws InterruptedException {
    AddressGuard guard =
        new AddressGuard(CrawlSession.names(), contact.isPresent(), network.overrides());
    ReadHooks reading = new ReadHooks(read, follow, this::stop);
    CrawlSession session =
        new CrawlSession(
            plan(),
            seeds.stream().map(Seed::url).toList(),
            seeds,
            new CrawlSession.NetworkAccess(
                new UserAgent(version(), contact, userAgent),
                guard,
                network.egress(),
                FetchSettings.DEFAULT.accepting(content.accepted())),
            StoreLimits.DEFAULTS,
            sitemaps,
            content.terms(),
            reading,
            new SystemTimeline(),
            images.collection(data));
    data.ifPresent(home -> SeedCheck.recall(new DataDirectory(home), session.domains(), guard));
    SeedCheck.require(seeds, guard, network.egress().httpProxy().isPresent());
    if (data.isEmpty()) {
      CrawlStore store = session.memoryStore();
      return crawl(session, store, session.begin(store));
    }
    try (SqliteStore store =
        SqliteStore.open(new DataDirectory(data.get()), session.storeSettings())) {
      Run run = session.begin(store);
      session.confine(store);
      return crawl(session, store, run);
    }
  }

  private Summary crawl(CrawlSession session, CrawlStore store, Run run)
      throws InterruptedException {
    Instant began = session.time().instant();
    sources.make(store, data.map(DataDirectory::new));
    session.addSeeds(store, seeds.stream().map(sources::entry).toList());
    session.rank(store, ranks);
    Hooks hooks =
        new Hooks(
            page,
            link,
            outcome,
            content.accepted(),
            settlement -> images.settled(settlement, data));
    Crawl.End end =
        session.crawl(
            store,
            run,
            List.of(hooks),
            crawl -> {
              stopping.begins(crawl);
              sources.begins(session, store, crawl);
              maxTime.ifPresent(most -> crawl.endAt(began.plus(most)));
            });
    sources.ends();
    session.reading().requireSound();
    return hooks.summary(end, images.taken(), Duration.between(began, session.time().instant()));
  }

  private CrawlPlan plan() {
    return new CrawlPlan(
        new DomainPolicy(PolicySettings.DEFAULTS.with(PaceSettings.DEFAULTS.withMinimum(delay))),
        Scope.ofSeeds(seeds.stream().map(Seed::url).toList(), Grouping.BY_HOST)
            .reaching(reach)
            .including(include)
            .excluding(exclude)
            .dropping(dropped)
            .toDepth(maxDepth),
        CrawlLimits.DEFAULTS.withPages(maxPages, maxPagesPerDomain).withImages(images.most()),
        TrapSettings.DEFAULTS,
        domains,
        purposes.orElse(Purpose.USUAL),
        purposes.isPresent());
  }

  private static UrlPattern pattern(String name, String regex) {
    return switch (UrlPattern.parse(regex)) {
      case UrlPattern pattern -> pattern;
      case PatternRefusal refusal -> throw new CrawlRefused(name + ": " + refusal.message());
    };
  }

  /** The version in the manifest; classes run outside their jar have none. */
  private static String version() {
    return Optional.ofNullable(Comity.class.getPackage().getImplementationVersion())
        .orElse("development");
  }

  private static <T> T require(String name, T value, boolean holds, String rule) {
    if (!holds) {
      throw new CrawlRefused(name + " is " + value + ", but " + rule);
    }
    return value;
  }
}
