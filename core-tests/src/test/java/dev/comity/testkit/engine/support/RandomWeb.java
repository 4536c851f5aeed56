package dev.comity.testkit.engine.support;

import dev.comity.core.outcome.Body;
import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.outcome.FetchOutcome.ClientError;
import dev.comity.core.outcome.FetchOutcome.ConnectionFailed;
import dev.comity.core.outcome.FetchOutcome.Forbidden;
import dev.comity.core.outcome.FetchOutcome.RateLimited;
import dev.comity.core.outcome.FetchOutcome.Redirect;
import dev.comity.core.outcome.FetchOutcome.ServerError;
import dev.comity.core.outcome.FetchOutcome.Success;
import dev.comity.core.outcome.FetchOutcome.TimedOut;
import dev.comity.core.outcome.Headers;
import dev.comity.core.url.CrawlUrl;
import dev.comity.testkit.site.PretendImages;
import dev.comity.testkit.site.PretendWeb;
import dev.comity.testkit.site.PretendWeb.Site;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.function.Predicate;

/** A web of small sites, each of some shape a real one could have, drawn from a seed. */
public final class RandomWeb {
  private static final FetchOutcome REFUSED = new ConnectionFailed("refused");

  /** Images of a site. */
  private static final int IMAGES = 4;

  private final SplittableRandom random;
  private final PretendWeb web;
  private final int sites;

  /** When our own network is down, and so no site can be reached. */
  private final Predicate<Instant> down;

  /** The hosts that answer everything they are asked, and so must be crawled whole. */
  final List<String> wellBehaved = new ArrayList<>();

  /** What these begin is denied by a robots.txt. */
  final List<String> denied = new ArrayList<>();

  /** Drawn apart, so that a history without images is the same as ever; empty for none. */
  private final Optional<SplittableRandom> images;

  public RandomWeb(
      long seed, PretendWeb web, int sites, boolean hasImages, Predicate<Instant> down) {
    random = new SplittableRandom(seed);
    images = hasImages ? Optional.of(new SplittableRandom(~seed)) : Optional.empty();
    this.web = web;
    this.sites = sites;
    this.down = down;
    for (int number = 0; number < sites; number++) {
      open(number);
    }
  }

  public static String host(int number) {
    return "http://s" + number + ".example";
  }

  static int pages(int number) {
    return 2 + number % 7;
  }

  /** Every third domain has a second authority, and some a third. */
  private static List<String> authorities(int number) {
    List<String> all = new ArrayList<>();
    all.add(host(number));
    if (number % 3 == 0) {
      all.add("https://s" + number + ".example");
    }
    if (number % 6 == 0) {
      all.add("http://www.s" + number + ".example");
    }
    return all;
  }

  private void open(int number) {
    int shape = random.nextInt(13);
    Trouble trouble = trouble(shape);
    for (String authority : authorities(number)) {
      Duration connect = milliseconds(1, random.nextInt(8) == 0 ? 5000 : 200);
      Site site = web.site(authority).latency(connect, milliseconds(1, 3000));
      if (random.nextInt(20) == 0) {
        site.deaf();
      }
      if (random.nextInt(20) == 0) {
        site.hesitation(milliseconds(1, 3000));
      }
      boolean dead = shape == 0 || (shape == 1 && !authority.equals(host(number)));
      site.unconnectable(now -> dead || down.test(now) ? Optional.of(REFUSED) : Optional.empty());
      for (int page = 0; page < pages(number); page++) {
        FetchOutcome answer = random.nextInt(10) == 0 ? redirect(number) : page(number);
        site.answer("/" + page, (Instant now) -> trouble.at(now).orElse(answer));
      }
      images.ifPresent(pictures -> show(site, number, pictures, trouble));
      site.otherwise(now -> trouble.at(now).orElse(new ClientError(404)));
      robots(shape, authority, site);
    }
    if (shape >= 11) {
      wellBehaved.add(host(number));
    }
  }

  /** What its robots.txt says; the other shapes have none. */
  private void robots(int shape, String authority, Site site) {
    switch (shape) {
      case 6 -> site.page("/robots.txt", "delay " + (1 + random.nextInt(9)));
      case 7 -> {
        site.page("/robots.txt", "deny /1");
        denied.add(authority + "/1");
      }
      case 8 -> site.answer("/robots.txt", new ServerError(500));
      case 9 -> {
        site.answer("/robots.txt", redirect(authority + "/robots.txt?moved"));
        site.page("/robots.txt?moved", "deny /0", "delay 2");
        denied.add(authority + "/0");
      }
      case 10 -> {
        boolean served = random.nextInt(3) > 0;
        site.answer("/robots.txt", redirect(keptByOthers(authority, served)));
        denied.add(authority + (served ? "/1" : "/"));
      }
      case 11 -> site.page("/robots.txt");
      case 12 -> {
        site.page("/robots.txt", "sitemap " + authority + "/index", "sitemap /missing");
        site.page("/index", "sitemap " + authority + "/index", "sitemap " + authority + "/map");
        site.page("/map", "page " + authority + "/0", "page " + authority + "/listed");
        site.page("/listed", "/0");
      }
      default -> {}
    }
  }

  /** Where another domain keeps its file, one hop or two away, or where nobody does. */
  private String keptByOthers(String authority, boolean served) {
    if (!served && random.nextBoolean()) {
      return "http://elsewhere.example/robots.txt";
    }
    String name = authority.replaceAll("\\W", "");
    String file = host(random.nextInt(sites)) + "/robots-of/" + name;
    page(file, served ? rules() : new ServerError(500));
    if (random.nextBoolean()) {
      return file;
    }
    String between = host(random.nextInt(sites)) + "/from/" + name;
    page(between, redirect(file));
    return between;
  }

  private void page(String url, FetchOutcome answer) {
    CrawlUrl at = CrawlUrl.of(url);
    web.site(at.authority().toString()).answer(at.target(), answer);
  }

  private static FetchOutcome rules() {
    return new Success(200, Headers.NONE, Body.of("deny /1\ndelay 3"));
  }

  private Trouble trouble(int shape) {
    return switch (shape) {
      case 2 -> sometimes(1, _ -> new Forbidden(403));
      case 3 -> limited(milliseconds(500, 4000), random.nextInt(4));
      case 4 -> sometimes(3, _ -> new ServerError(503));
      case 5 -> sometimes(4, _ -> new TimedOut("no answer"));
      default -> _ -> Optional.empty();
    };
  }

  private Trouble sometimes(int oneIn, Function<Instant, FetchOutcome> answer) {
    return now -> random.nextInt(oneIn) == 0 ? Optional.of(answer.apply(now)) : Optional.empty();
  }

  /** Refuses what comes too soon after the last request it counted, in one of the ways sites do. */
  private Trouble limited(Duration every, int manner) {
    Instant[] last = {Instant.MIN};
    Optional<Duration> retryAfter =
        switch (manner) {
          case 0 -> Optional.empty();
          case 1 -> Optional.of(Duration.ofSeconds(20));
          case 2 -> Optional.of(Duration.ofSeconds(40));
          default -> Optional.of(Duration.ofHours(2));
        };
    return now -> {
      if (last[0].equals(Instant.MIN) || !now.isBefore(last[0].plus(every))) {
        last[0] = now;
        return Optional.empty();
      }
      return Optional.of(new RateLimited(429, retryAfter));
    };
  }

  /** What a host answers instead of what was asked for, if anything. */
  private interface Trouble {
    Optional<FetchOutcome> at(Instant now);
  }

  private FetchOutcome page(int number) {
    List<String> links = new ArrayList<>();
    for (int page = 0; page < pages(number); page++) {
      links.add("/" + page);
    }
    authorities(number).forEach(authority -> links.add(authority + "/0"));
    int elsewhere = random.nextInt(sites);
    links.add(host(elsewhere) + "/" + random.nextInt(pages(elsewhere)));
    images.ifPresent(
        pictures -> {
          for (int shown = pictures.nextInt(4); shown > 0; shown--) {
            links.add("image " + image(pictures));
          }
        });
    return new Success(200, Headers.NONE, Body.of(String.join("\n", links)));
  }

  /** Images, among them copies, files that are none, and some that have moved. */
  private void show(Site site, int number, SplittableRandom pictures, Trouble trouble) {
    for (int image = 0; image < IMAGES; image++) {
      FetchOutcome answer =
          switch (pictures.nextInt(8)) {
            case 0 -> new Success(200, Headers.NONE, Body.of("a page"));
            case 1 -> redirect(image(pictures));
            case 2 -> PretendImages.of("everything");
            default -> PretendImages.of(number + "/" + image);
          };
      site.answer("/i" + image, (Instant now) -> trouble.at(now).orElse(answer));
    }
  }

  /** Some image of some site; a few do not exist. */
  private String image(SplittableRandom pictures) {
    return host(pictures.nextInt(sites)) + "/i" + pictures.nextInt(IMAGES + 1);
  }

  private FetchOutcome redirect(int number) {
    int to = random.nextBoolean() ? number : random.nextInt(sites);
    return redirect(host(to) + "/" + random.nextInt(pages(to)));
  }

  private static FetchOutcome redirect(String target) {
    return new Redirect(301, Optional.of(CrawlUrl.of(target)));
  }

  private Duration milliseconds(int from, int to) {
    return Duration.ofMillis(random.nextInt(from, to));
  }
}
