package dev.comity.app;

import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.Seed;
import dev.comity.core.url.UrlRefusal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Where to start, gathered from the command line and from files. A wrong argument is a mistake to
 * be corrected; a wrong line among many is named, and the others count.
 */
final class SeedLines {
  private final Map<CrawlUrl, GivenSeed> seeds = new LinkedHashMap<>();
  private final BadLines bad = new BadLines();

  private SeedLines() {}

  /**
   * @throws WrongSetting if an argument is no seed, a file cannot be read, or there is no seed at
   *     all
   */
  static SeedLines gather(List<String> arguments, List<String> names, SeedFiles files) {
    SeedLines lines = new SeedLines();
    arguments.forEach(lines::argument);
    for (String name : names) {
      files.read(
          name,
          new SeedReader.Taker() {
            @Override
            public void seed(GivenSeed seed) {
              lines.add(seed);
            }

            @Override
            public void bad(long number, long count, String why) {
              lines.bad.add(name, number, count, why);
            }
          });
    }
    if (lines.seeds.isEmpty()) {
      throw new WrongSetting(
          names.isEmpty()
              ? "nowhere to start: name a URL, or a file of them with --seeds"
              : lines.words() + noneIn(names));
    }
    return lines;
  }

  /** What is wrong with files that have no seed in them. */
  static String noneIn(List<String> names) {
    return "no line of %s is a URL or a host"
        .formatted(String.join(", ", names.stream().map(SeedFiles::spoken).toList()));
  }

  /** What a data directory was once given to start from. */
  static SeedLines of(Stream<CrawlUrl> known) {
    SeedLines lines = new SeedLines();
    known.forEach(url -> lines.add(GivenSeed.of(new Seed(url, Optional.empty()))));
    return lines;
  }

  List<GivenSeed> seeds() {
    return List.copyOf(seeds.values());
  }

  boolean hasBadLines() {
    return bad.count() > 0;
  }

  /** A line for each bad one, as far as they are worth it. */
  List<String> complaints() {
    return bad.words();
  }

  private String words() {
    return complaints().stream()
        .map(line -> line + System.lineSeparator())
        .reduce("", String::concat);
  }

  private void argument(String text) {
    switch (Seed.parse(text)) {
      case Seed seed -> add(GivenSeed.of(seed));
      case UrlRefusal refusal -> throw new WrongSetting(refusal.message());
    }
  }

  /** Given twice, it is as it was first, with the better rank. */
  private void add(GivenSeed seed) {
    seeds.merge(seed.seed().url(), seed, GivenSeed::better);
  }
}
