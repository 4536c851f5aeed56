package dev.comity.core.trap.support;

import dev.comity.core.trap.TemplateSketch;
import dev.comity.core.trap.TemplateStats;
import dev.comity.core.trap.TrapReason;
import dev.comity.core.trap.TrapSettings;
import dev.comity.core.trap.Traps;
import dev.comity.core.url.CrawlUrl;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;

/** A crawl of a made-up site, as far as traps go: breadth first, every URL once. */
public final class Walk {
  public static final String SITE = "https://example.com";

  /** What a URL's page says, where it leads and what it shows. */
  public record Page(String text, List<String> links, List<String> images) {
    public Page(String text, List<String> links) {
      this(text, links, List.of());
    }

    public static Page of(String text, String... links) {
      return new Page(text, List.of(links));
    }

    public Page showing(String... shown) {
      return new Page(text, links, List.of(shown));
    }
  }

  private record Waiting(CrawlUrl url, Optional<CrawlUrl> referrer) {}

  private final Function<String, Page> site;
  private final List<String> asked = new ArrayList<>();
  private final List<TemplateStats> suppressed = new ArrayList<>();
  private Traps traps = new Traps(TrapSettings.DEFAULTS, List.of());

  private Walk(Function<String, Page> site) {
    this.site = site;
  }

  /** Asks at most that many pages. */
  public static Walk of(Function<String, Page> site, int most) {
    Walk walk = new Walk(site);
    walk.walk(most);
    return walk;
  }

  private void walk(int most) {
    Deque<Waiting> waiting = new ArrayDeque<>();
    Set<CrawlUrl> known = new HashSet<>();
    waiting.add(new Waiting(CrawlUrl.of(SITE + "/"), Optional.empty()));
    while (!waiting.isEmpty() && asked.size() < most) {
      Waiting next = waiting.remove();
      if (traps.trap(next.url()).isPresent()) {
        continue;
      }
      asked.add(next.url().target());
      Page page = site.apply(next.url().target());
      List<CrawlUrl> links = resolved(next.url(), page.links());
      List<CrawlUrl> images = resolved(next.url(), page.images());
      traps
          .landed(next.url(), next.referrer(), page::text, links, images, Instant.EPOCH)
          .ifPresent(suppressed::add);
      for (CrawlUrl link : links) {
        if (traps.trap(link).isEmpty() && known.add(link)) {
          waiting.add(new Waiting(link, Optional.of(next.url())));
        }
      }
      // What is kept between two pages is all there is: a restart loses nothing.
      keepAndReadAgain();
    }
  }

  private static List<CrawlUrl> resolved(CrawlUrl page, List<String> references) {
    return references.stream().map(reference -> (CrawlUrl) page.resolve(reference)).toList();
  }

  private final Map<String, TemplateStats> kept = new TreeMap<>();

  private void keepAndReadAgain() {
    for (TemplateStats stats : traps.takeChanged()) {
      TemplateStats written =
          new TemplateStats(
              stats.template(),
              stats.pages(),
              stats.barren(),
              stats.leftOut(),
              stats.suppressed(),
              stats.lifted(),
              stats.foundOn(),
              TemplateSketch.read(stats.sketch().written()));
      kept.put(stats.template(), written);
    }
    traps = new Traps(TrapSettings.DEFAULTS, kept.values());
  }

  public List<String> asked() {
    return asked;
  }

  public List<String> suppressed() {
    return suppressed.stream().map(TemplateStats::template).toList();
  }

  public List<TrapReason> reasons() {
    return suppressed.stream().map(one -> one.suppressed().orElseThrow().reason()).toList();
  }

  public int templates() {
    return kept.size();
  }
}
