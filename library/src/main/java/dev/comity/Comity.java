package dev.comity;

import dev.comity.core.engine.plan.DomainTerms;
import dev.comity.core.port.source.AddAnswer;
import dev.comity.core.scope.DroppedParameters;
import dev.comity.core.scope.PatternRefusal;
import dev.comity.core.scope.Scope.Reach;
import dev.comity.core.scope.UrlPattern;
import dev.comity.core.url.Seed;
import dev.comity.core.url.UrlRefusal;
import dev.comity.core.usage.Purpose;
import dev.comity.keep.Keep;
import dev.comity.web.http.UserAgent;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
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

  private final CrawlTerms terms;

  private Comity(List<Seed> seeds) {
    terms = new CrawlTerms(seeds);
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
    if (!terms.seeds.contains(seed)) {
      terms.seeds.add(seed);
    }
    terms.ranks.merge(seed, rank, Math::min);
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
    terms.sources.source(name, interval);
    for (String url : urls) {
      Seed seed = seed(url);
      terms.sources.seed(seed, name);
      if (!terms.seeds.contains(seed)) {
        terms.seeds.add(seed);
      }
    }
    return this;
  }

  /** Adds a URL of a source, as {@link #add(String)} does. */
  public AddAnswer add(String url, String source) {
    return terms.add(url, Optional.of(source));
  }

  /**
   * Adds a URL to the crawl while {@link #run} is at work; any thread may call it, and any hook.
   * Before and after, it is queued in the directory of {@link #data} for the next crawl, durably
   * when this returns.
   */
  public AddAnswer add(String url) {
    return terms.add(url, Optional.empty());
  }

  /** Goes to an address for a host and port, as {@code HOST:PORT:ADDRESS}. */
  public Comity resolve(String hostPortAddress) {
    terms.network.resolve(hostPortAddress);
    return this;
  }

  /** Connects through {@code http://[NAME:PASSWORD@]HOST:PORT} or {@code socks5://...}. */
  public Comity proxy(String url) {
    terms.network.proxy(url);
    return this;
  }

  /** Sends this header to that site only: a host, over https, or {@code http://HOST:PORT}. */
  public Comity header(String site, String name, String value) {
    terms.network.header(site, name, value);
    return this;
  }

  /** Logs in to that site only. */
  public Comity user(String site, String name, String password) {
    terms.network.user(site, name, password);
    return this;
  }

  /** Terms of one domain, in place of those of all. */
  public Comity domain(String name, DomainTerms own) {
    terms.domains.put(seed(name).url().domain(), own);
    return this;
  }

  /** Keeps these parts of pages in the data directory, and has them made by the crawl's threads. */
  public Comity keep(Keep... parts) {
    terms.content.keep(parts);
    return this;
  }

  /** Keeps a field of each page: what a CSS selector finds, as {@link Page#select} does. */
  public Comity select(String name, String css) {
    terms.content.select(name, css);
    return this;
  }

  /**
   * Collects the images of pages, so many at most, whatever host they lie on. With {@link #data}
   * their files are kept.
   */
  public Comity images(long most) {
    terms.images.collect(require("images", most, most >= 1, "must be at least 1"));
    return this;
  }

  /** Takes documents of these types for pages, too, such as {@code application/pdf}. */
  public Comity accept(String... types) {
    terms.content.accept(types);
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
    terms.contact = Optional.of(address);
    return this;
  }

  /**
   * What the content is collected for; research by default. What a site refuses for one of these
   * purposes is not collected: by robots.txt, by a header, which leaves the body unread, or by the
   * page itself. A purpose that is named here is also compared with each authority's tdmrep.json,
   * for one request more.
   */
  public Comity purpose(Purpose first, Purpose... more) {
    terms.purposes = Optional.of(EnumSet.of(first, more));
    return this;
  }

  /** The shortest time between two requests to one domain; one second by default. */
  public Comity delay(Duration least) {
    require("delay", least, !least.isNegative(), "must not be negative; 0 means none");
    terms.delay =
        require("delay", least, least.compareTo(LONGEST_DELAY) <= 0, "must be 30 days at most");
    return this;
  }

  /** Ends after so many pages; 1000 by default. */
  public Comity maxPages(long most) {
    terms.maxPages = require("maxPages", most, most >= 1, "must be at least 1");
    return this;
  }

  /** Asks no domain for more than so many pages; 1000 by default. */
  public Comity maxPagesPerDomain(long most) {
    terms.maxPagesPerDomain = require("maxPagesPerDomain", most, most >= 1, "must be at least 1");
    return this;
  }

  /** The most links to follow from a seed; no limit by default. */
  public Comity maxDepth(int most) {
    terms.maxDepth =
        require("maxDepth", most, most >= 0, "must be at least 0; 0 crawls the seeds alone");
    return this;
  }

  /** Stops after this time; no limit by default. */
  public Comity maxTime(Duration most) {
    require("maxTime", most, most.isPositive(), "must be more than 0");
    terms.maxTime = Optional.of(most.compareTo(ENDLESS) < 0 ? most : ENDLESS);
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
    terms.userAgent = Optional.of(own);
    return this;
  }

  /**
   * Links lose these parameters of their query before they are queued: names, beginnings such as
   * {@code utm_*}, or {@code tracking} for the usual ones.
   */
  public Comity dropParams(String... names) {
    try {
      terms.dropped = DroppedParameters.of(Arrays.asList(names));
    } catch (IllegalArgumentException wrong) {
      throw new CrawlRefused(String.valueOf(wrong.getMessage()));
    }
    return this;
  }

  /** How far links may lead; to the seeds' domains by default. */
  public Comity scope(Reach far) {
    terms.reach = far;
    return this;
  }

  /** Follows only URLs in which this regular expression, or another one included, is found. */
  public Comity include(String regex) {
    terms.include.add(pattern("include", regex));
    return this;
  }

  /** Follows no URL in which this regular expression is found. */
  public Comity exclude(String regex) {
    terms.exclude.add(pattern("exclude", regex));
    return this;
  }

  /** Whether the sitemaps that a robots.txt names are read; true by default. */
  public Comity sitemaps(boolean read) {
    terms.sitemaps = read;
    return this;
  }

  /**
   * Keeps what is learnt in this directory, and continues there an unfinished crawl of the same
   * seeds, scope and budgets. By default nothing is kept.
   */
  public Comity data(Path directory) {
    terms.data = Optional.of(directory);
    return this;
  }

  /** Follows only links and redirects in scope for which this is true. Of several, all must be. */
  public Comity follow(Predicate<Link> wanted) {
    terms.follow = Optional.of(terms.follow.map(before -> before.and(wanted)).orElse(wanted));
    return this;
  }

  /** Called with every page that was read, before it is settled; the hook may add URLs to it. */
  public Comity onRead(Consumer<ReadPage> hook) {
    terms.read = Optional.of(terms.read.map(before -> before.andThen(hook)).orElse(hook));
    return this;
  }

  /** Called with every page that has its answer. */
  public Comity onPage(Consumer<Page> hook) {
    terms.page = terms.page.andThen(hook);
    return this;
  }

  /** Called with every image that was taken; {@link #images} says how many may be. */
  public Comity onImage(Consumer<CollectedImage> hook) {
    terms.images.hear(hook);
    return this;
  }

  /** Called with every link that is followed. */
  public Comity onLink(Consumer<Link> hook) {
    terms.link = terms.link.andThen(hook);
    return this;
  }

  /** Called with the outcome of every URL, each time it had its turn. */
  public Comity onOutcome(Consumer<Outcome> hook) {
    terms.outcome = terms.outcome.andThen(hook);
    return this;
  }

  /** Asks for nothing more, and lets {@link #run} return. Any thread may call it, and any hook. */
  public void stop() {
    terms.stopping.stop();
  }

  /**
   * Crawls to the end. Interrupted, it asks for nothing more and waits a few seconds for answers
   * under way; what it has not come to is left for the next run, where there is a directory.
   *
   * @throws CrawlRefused if a seed may not be asked as things are
   * @throws dev.comity.core.engine.CrawlFailed if a hook throws or the store cannot go on
   */
  public Summary run() throws InterruptedException {
    return terms.run();
  }

  private static UrlPattern pattern(String name, String regex) {
    return switch (UrlPattern.parse(regex)) {
      case UrlPattern pattern -> pattern;
      case PatternRefusal refusal -> throw new CrawlRefused(name + ": " + refusal.message());
    };
  }

  private static <T> T require(String name, T value, boolean holds, String rule) {
    if (!holds) {
      throw new CrawlRefused(name + " is " + value + ", but " + rule);
    }
    return value;
  }
}
