package dev.comity.app.seeds;

import java.util.List;
import picocli.CommandLine.Option;

/** Seeds from files. */
public final class SeedOptions {
  @Option(
      names = "--seeds",
      paramLabel = "FILE",
      description =
          "Start from every line of this file, too; - for standard input. A URL or host a line, a"
              + " list with ranks (CSV), or a sitemap; may be packed (.gz). Empty lines and those"
              + " that start with # do not count; may be given several times. Or a sorted set, list"
              + " or set in Redis: redis://host/start_urls.")
  public List<String> files = List.of();

  @Option(
      names = "--allow-private",
      description =
          "Let seeds of files lead to private addresses, this machine included, as those of the"
              + " command line may.")
  public boolean allowPrivate;
}
