package dev.comity.app.seeds;

import dev.comity.app.settings.WrongSetting;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.DomainName;
import dev.comity.core.url.Grouping;
import dev.comity.core.url.Seed;
import dev.comity.core.url.UrlRefusal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The seeds of the command line and of files. A wrong argument is an error. A wrong line among many
 * is named, and the others count.
 */
public final class SeedLines {
  private final Map<CrawlUrl, GivenSeed> seeds = new LinkedHashMap<>();
  private final Map<CrawlUrl, Line> lines = new HashMap<>();
  private final Set<CrawlUrl> refused = new HashSet<>();
  private final BadLines bad = new BadLines();
  private final List<RedisSeedList> lists = new ArrayList<>();

  /** Where a seed stands first. */
  private record Line(String file, long number) {}

  private SeedLines() {}

  /**
   * Reads the seeds of the command line and of the files.
   *
   * @throws WrongSetting if an argument is no seed, a file cannot be read, or there is no seed at
   *     all
   */
  public static SeedLines gather(List<String> arguments, List<String> names, SeedFiles files) {
    SeedLines lines = new SeedLines();
    arguments.forEach(lines::argument);
    for (String name : names) {
      if (RedisSeedList.isNamed(name)) {
        lines.take(RedisSeedList.open(name));
      } else {
        files.read(name, lines.taker(name));
      }
    }
    if (lines.seeds.isEmpty()) {
      throw new WrongSetting(
          names.isEmpty()
              ? "nowhere to start: name a URL, or a file of them with --seeds"
              : lines.words() + noneIn(names));
    }
    return lines;
  }

  private SeedReader.Taker taker(String name) {
    return new SeedReader.Taker() {
      @Override
      public void seed(long number, GivenSeed seed) {
        add(seed);
        lines.putIfAbsent(seed.seed().url(), new Line(name, number));
      }

      @Override
      public void bad(long number, long count, String why) {
        bad.add(name, number, count, why);
      }
    };
  }

  private void take(RedisSeedList list) {
    lists.add(list);
    list.take(RedisSeedList.MOST_OF_A_CRAWL, taker(list.shown()));
  }

  /** The seeds are in the store: lists in Redis need not keep them. */
  public void stored() {
    lists.forEach(RedisSeedList::stored);
    lists.forEach(RedisSeedList::close);
    lists.clear();
  }

  /** The error for files without a seed. */
  public static String noneIn(List<String> names) {
    return "no line of %s is a URL or a host"
        .formatted(String.join(", ", names.stream().map(RedisSeedList::spoken).toList()));
  }

  /** The seeds that a data directory holds. */
  public static SeedLines of(Stream<Seed> known) {
    SeedLines lines = new SeedLines();
    known.forEach(seed -> lines.add(GivenSeed.of(seed)));
    return lines;
  }

  /** Every seed, refused ones too: together they identify the run. */
  public List<CrawlUrl> urls() {
    return List.copyOf(seeds.keySet());
  }

  /** The seeds that are not refused. */
  public List<GivenSeed> seeds() {
    return seeds.values().stream().filter(given -> !refused.contains(given.seed().url())).toList();
  }

  /** What the domains of these seeds came from; known seeds keep what is stored. */
  public Map<DomainName, String> origins(Grouping grouping) {
    Map<String, String> files = new HashMap<>();
    Map<DomainName, String> origins = new LinkedHashMap<>();
    for (GivenSeed given : seeds()) {
      Line line = lines.get(given.seed().url());
      DomainName domain = grouping.domainOf(given.seed().url());
      if (given.named()) {
        origins.putIfAbsent(domain, SeedOrigin.COMMAND_LINE);
      } else if (line != null) {
        origins.putIfAbsent(domain, files.computeIfAbsent(line.file(), SeedOrigin::file));
      }
    }
    return origins;
  }

  /** Turns a seed that may not be asked into a bad line. */
  void refuse(GivenSeed seed, String why) {
    CrawlUrl url = seed.seed().url();
    refused.add(url);
    Line line = lines.get(url);
    if (line == null) {
      bad.add(url.toString(), why);
    } else {
      bad.add(line.file(), line.number(), 1, why);
    }
  }

  public boolean hasBadLines() {
    return bad.count() > 0;
  }

  /** One line for each bad one, up to a limit. */
  public List<String> complaints() {
    return bad.words();
  }

  private String words() {
    return complaints().stream()
        .map(line -> line + System.lineSeparator())
        .collect(Collectors.joining());
  }

  private void argument(String text) {
    switch (Seed.parse(text)) {
      case Seed seed -> add(GivenSeed.of(seed).byName());
      case UrlRefusal refusal -> throw new WrongSetting(refusal.message());
    }
  }

  /** A seed given twice keeps its first form, with the better rank. */
  private void add(GivenSeed seed) {
    seeds.merge(seed.seed().url(), seed, GivenSeed::better);
  }
}
