package dev.comity.testkit.engine;

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
import dev.comity.testkit.site.PretendWeb;
import dev.comity.testkit.site.PretendWeb.Site;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;

/** A web of many small sites, each of some shape a real one could have, drawn from a seed. */
final class RandomWeb {
  static final int SITES = 50;

  private final SplittableRandom random;
  private final PretendWeb web;

  /** Until when each host asked to be left alone, as its own answers said. */
  final Map<String, Instant> leftAloneUntil = new HashMap<>();

  /** Hosts asked while they had asked to be left alone. */
  final List<String> broken = new ArrayList<>();

  /** The hosts that answer everything they are asked, and so must be crawled whole. */
  final List<String> wellBehaved = new ArrayList<>();

  RandomWeb(long seed, PretendWeb web) {
    random = new SplittableRandom(seed);
    this.web = web;
    for (int number = 0; number < SITES; number++) {
      open(number);
    }
  }

  static String host(int number) {
    return "http://s" + number + ".example";
  }

  static int pages(int number) {
    return 2 + number % 7;
  }

  private void open(int number) {
    String host = host(number);
    Site site = web.site(host).latency(milliseconds(1, 200), milliseconds(1, 3000));
    Trouble trouble = trouble(number, site);
    for (int page = 0; page < pages(number); page++) {
      FetchOutcome answer = random.nextInt(10) == 0 ? redirect(number) : page(number);
      String url = host + "/" + page;
      site.answer("/" + page, (Instant now) -> trouble.at(url, now).orElse(answer));
    }
    site.otherwise(now -> trouble.at(host + "/robots.txt", now).orElse(new ClientError(404)));
  }

  private Trouble trouble(int number, Site site) {
    String host = host(number);
    switch (random.nextInt(10)) {
      case 0 -> site.unconnectable(new ConnectionFailed("refused"));
      case 1 -> {
        return (_, _) -> Optional.of(new Forbidden(403));
      }
      case 2 -> {
        return limited(host, milliseconds(500, 4000), random.nextInt(3));
      }
      case 3 -> {
        return (_, _) ->
            random.nextInt(3) == 0 ? Optional.of(new ServerError(503)) : Optional.empty();
      }
      case 4 -> {
        return (_, _) ->
            random.nextInt(4) == 0 ? Optional.of(new TimedOut("no answer")) : Optional.empty();
      }
      case 5 -> site.page("/robots.txt", "delay " + (1 + random.nextInt(9)));
      case 6 -> site.page("/robots.txt", "deny /1");
      case 7 -> site.answer("/robots.txt", new ServerError(500));
      default -> {
        site.page("/robots.txt");
        wellBehaved.add(host);
      }
    }
    return (_, _) -> Optional.empty();
  }

  /** Refuses what comes too soon after the last request it counted, in one of the ways sites do. */
  private Trouble limited(String host, Duration every, int manner) {
    Instant[] last = {Instant.MIN};
    return (url, now) -> {
      // An earlier answer may have been lost when the crawl was stopped.
      pending.remove(url);
      if (now.isBefore(leftAloneUntil.getOrDefault(host, Instant.MIN))) {
        broken.add(host + " was asked at " + now);
      }
      if (last[0].equals(Instant.MIN) || !now.isBefore(last[0].plus(every))) {
        last[0] = now;
        return Optional.empty();
      }
      Optional<Duration> retryAfter =
          manner == 0 ? Optional.empty() : Optional.of(Duration.ofSeconds(manner * 20L));
      retryAfter.ifPresent(wait -> pending.merge(url, now.plus(wait), RandomWeb::later));
      return Optional.of(new RateLimited(429, retryAfter));
    };
  }

  /** What a host answers instead of the page that was asked for, if anything. */
  private interface Trouble {
    Optional<FetchOutcome> at(String url, Instant now);
  }

  /** Until when the answer to a URL, still on its way, asks to be left alone. */
  final Map<String, Instant> pending = new HashMap<>();

  /** The answer has arrived: from now on it holds. */
  void heard(String url, String host) {
    Instant until = pending.remove(url);
    if (until != null) {
      leftAloneUntil.merge(host, until, RandomWeb::later);
    }
  }

  private static Instant later(Instant one, Instant other) {
    return one.isAfter(other) ? one : other;
  }

  private FetchOutcome page(int number) {
    List<String> links = new ArrayList<>();
    for (int page = 0; page < pages(number); page++) {
      links.add("/" + page);
    }
    int elsewhere = random.nextInt(SITES);
    links.add(host(elsewhere) + "/" + random.nextInt(pages(elsewhere)));
    return new Success(200, Headers.NONE, Body.of(String.join("\n", links)));
  }

  private FetchOutcome redirect(int number) {
    int to = random.nextBoolean() ? number : random.nextInt(SITES);
    return new Redirect(301, Optional.of(CrawlUrl.of(host(to) + "/" + random.nextInt(pages(to)))));
  }

  private Duration milliseconds(int from, int to) {
    return Duration.ofMillis(random.nextInt(from, to));
  }
}
