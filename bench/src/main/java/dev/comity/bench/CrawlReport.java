package dev.comity.bench;

import dev.comity.bench.CrawlServer.Visit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.NullMarked;

/**
 * What the log of the hosts says of a crawl: a function of nothing else.
 *
 * @param figures what was counted and measured, by name
 * @param faults what no crawl may do, in words; none where all is well
 */
@NullMarked
record CrawlReport(SequencedMap<String, Number> figures, List<String> faults) {
  private static final double SHORT = 0.995;
  private static final long WINDOW = Duration.ofSeconds(10).toNanos();

  static CrawlReport of(CrawlWeb web, Collection<Visit> log, Duration delay) {
    CrawlReport report = new CrawlReport(new LinkedHashMap<>(), new ArrayList<>());
    report.figures.put("hosts", web.hosts());
    report.figures.put("pages_per_host", web.pages());
    report.figures.put("seed", web.seed());
    report.figures.put("delay_s", delay.toMillis() / 1e3);
    report.count(web, log);
    if (delay.isPositive()) {
      report.gaps(log, delay.toNanos() / 1e9);
    }
    return report;
  }

  private void count(CrawlWeb web, Collection<Visit> log) {
    Set<String> pages = new HashSet<>();
    Set<String> moved = new HashSet<>();
    for (int host = 0; host < web.hosts(); host++) {
      for (int page = 0; page < web.pages(); page++) {
        pages.add(web.authority(host) + CrawlWeb.path(page));
        if (CrawlWeb.namesOld(page)) {
          moved.add(web.authority(host) + CrawlWeb.oldPath(page));
        }
      }
    }
    Set<String> seen = new HashSet<>();
    List<String> duplicates = new ArrayList<>();
    List<String> disallowed = new ArrayList<>();
    List<String> strays = new ArrayList<>();
    List<Long> times = new ArrayList<>();
    long robots = 0;
    for (Visit visit : log) {
      String url = visit.host() + visit.path();
      if (visit.path().equals(CrawlWeb.ROBOTS)) {
        robots++;
      } else if (CrawlWeb.isDisallowed(visit.path())) {
        disallowed.add(url);
      } else if (!pages.contains(url) && !moved.contains(url)) {
        strays.add(url);
      } else if (!seen.add(url)) {
        duplicates.add(url);
      }
      if (pages.contains(url)) {
        times.add(visit.nanos());
      }
    }
    List<String> missing = new ArrayList<>();
    for (Set<String> all : List.of(pages, moved)) {
      all.stream().filter(url -> !seen.contains(url)).forEach(missing::add);
    }
    figures.put("requests", log.size());
    figures.put("pages", times.size());
    figures.put("distinct_pages", seen.stream().filter(pages::contains).count());
    figures.put("moved", seen.stream().filter(moved::contains).count());
    figures.put("robots_txt", robots);
    fault("duplicates", duplicates);
    fault("missing", missing);
    fault("disallowed", disallowed);
    fault("unknown_urls", strays);
    speed(times.stream().mapToLong(Long::longValue).sorted().toArray());
  }

  private void fault(String name, List<String> urls) {
    figures.put(name, urls.size());
    if (!urls.isEmpty()) {
      faults.add(
          "%s: %d, such as %s"
              .formatted(
                  name.replace('_', ' '), urls.size(), urls.stream().sorted().limit(3).toList()));
    }
  }

  private void speed(long[] times) {
    if (times.length < 2) {
      return;
    }
    long span = times[times.length - 1] - times[0];
    long window = Math.min(WINDOW, span);
    int most = 0;
    for (int first = 0, end = 0; end < times.length; end++) {
      while (times[end] - times[first] > window) {
        first++;
      }
      most = Math.max(most, end - first + 1);
    }
    figures.put("seconds_first_to_last_page", span / 1e9);
    figures.put("pages_per_second", times.length / (span / 1e9));
    figures.put("pages_per_second_best_10_s", most / (window / 1e9));
  }

  /**
   * Between any two requests to a host, that for its robots.txt included. Where the hosts were late
   * to see the first of two, the gap looks shorter than it was: a fault is only what was too short
   * even if that one had come as early as it can have.
   */
  private void gaps(Collection<Visit> log, double delay) {
    Map<String, List<Visit>> byHost = new HashMap<>();
    log.forEach(visit -> byHost.computeIfAbsent(visit.host(), _ -> new ArrayList<>()).add(visit));
    List<Double> gaps = new ArrayList<>();
    List<String> tooShort = new ArrayList<>();
    for (List<Visit> visits : byHost.values()) {
      visits.sort(Comparator.comparingLong(Visit::nanos));
      for (int i = 1; i < visits.size(); i++) {
        Visit first = visits.get(i - 1);
        Visit second = visits.get(i);
        gaps.add((second.nanos() - first.nanos()) / 1e9);
        if ((second.nanos() - first.since()) / 1e9 < SHORT * delay) {
          tooShort.add(second.host() + second.path());
        }
      }
    }
    figures.put("gaps", gaps.size());
    figures.put(
        "gaps_under_99.5_percent", gaps.stream().filter(gap -> gap < SHORT * delay).count());
    fault("gaps_short_for_certain", tooShort);
    if (!gaps.isEmpty()) {
      double[] doubts = sorted(log.stream().map(visit -> (visit.nanos() - visit.since()) / 1e6));
      double[] sorted = sorted(gaps.stream());
      figures.put("gap_least_s", sorted[0]);
      figures.put("gap_median_s", sorted[sorted.length / 2]);
      figures.put("gap_p99_s", p99(sorted));
      figures.put("gap_p99_over_delay_s", p99(sorted) - delay);
      figures.put("seen_late_p99_ms", p99(doubts));
      figures.put("seen_late_most_ms", doubts[doubts.length - 1]);
    }
  }

  private static double[] sorted(Stream<Double> values) {
    return values.mapToDouble(Double::doubleValue).sorted().toArray();
  }

  private static double p99(double[] sorted) {
    return sorted[(int) (sorted.length * 0.99)];
  }
}
