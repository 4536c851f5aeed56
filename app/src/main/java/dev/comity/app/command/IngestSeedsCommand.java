package dev.comity.app.command;

import dev.comity.app.output.JsonLines;
import dev.comity.app.process.Exit;
import dev.comity.app.seeds.Ingestion;
import dev.comity.app.seeds.RedisSeedList;
import dev.comity.app.seeds.SeedFiles;
import dev.comity.app.seeds.SeedFormat;
import dev.comity.app.seeds.SeedLines;
import dev.comity.app.settings.Configuration;
import dev.comity.app.settings.DataOption;
import dev.comity.app.settings.Settings;
import dev.comity.app.settings.WrongSetting;
import dev.comity.core.policy.DomainPolicy;
import dev.comity.core.url.Grouping;
import dev.comity.store.StoreSettings;
import dev.comity.store.open.OpenStore;
import dev.comity.store.operate.Intake;
import java.io.PrintWriter;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code comity ingest-seeds FILE...}: puts seeds where the next crawl finds them. */
@Command(
    name = "ingest-seeds",
    description = {
      "Put the seeds of files into the data directory or the database. No request is made.",
      "",
      "`comity crawl` without a URL then crawls them. Files are as for `comity crawl --seeds`;"
          + " ranks in them count in the order in which domains come.",
      "",
      "Works beside a running crawl, which takes what belongs to the domains it is about, or"
          + " everything with --scope any."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:every line is a seed",
      "2:invalid command line, a file cannot be read, or there is no seed in any;"
          + " what was read before is taken",
      "5:the data directory or the database cannot be used",
      "6:some lines are neither a URL nor a host; the others were taken"
    })
public final class IngestSeedsCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(
      arity = "1..*",
      paramLabel = "FILE",
      description =
          "Files; - for standard input. Or a sorted set, list or set in Redis, which is emptied:"
              + " redis://host/start_urls.")
  private List<String> files = List.of();

  @Option(
      names = "--seeds-format",
      paramLabel = "FORMAT",
      description = "What these files are: auto, lines, csv or sitemap (default: auto).")
  private SeedFormat format = SeedFormat.AUTO;

  @Option(
      names = "--strip-subdomains",
      description = "Treat all hosts under one registered name as one domain.")
  private boolean stripSubdomains;

  @Option(
      names = "--sitemaps",
      negatable = true,
      defaultValue = "true",
      fallbackValue = "true",
      description = "Whether a seed that is called a sitemap is read as one.")
  private boolean sitemaps;

  @Option(names = "--json", description = "Answer in JSON, one object a line.")
  private boolean json;

  @Mixin private DataOption data = new DataOption();

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    try {
      Configuration told = Configuration.of(spec);
      told.notices().forEach(notice -> err.println("comity: " + notice));
      Grouping grouping = stripSubdomains ? Grouping.BY_REGISTRABLE_DOMAIN : Grouping.BY_HOST;
      Settings crawl = ConfigCommand.settings(spec);
      StoreSettings settings =
          StoreSettings.of(new DomainPolicy(crawl.policy()), grouping, Clock.systemUTC())
              .with(crawl.storeLimits());
      try (Intake intake = OpenStore.intake(data.place(), settings)) {
        Ingestion ingestion = new Ingestion(intake, grouping, sitemaps, Clock.systemUTC());
        return take(ingestion, out, err);
      }
    } finally {
      out.flush();
      err.flush();
    }
  }

  private void take(Ingestion ingestion, String file) {
    if (RedisSeedList.isNamed(file)) {
      try (RedisSeedList list = RedisSeedList.open(file)) {
        ingestion.list(list);
      }
    } else {
      ingestion.file(file, new SeedFiles(format, System.in));
    }
  }

  /** Prints the result also after an error: the seeds read before it are stored. */
  private int take(Ingestion ingestion, PrintWriter out, PrintWriter err) {
    try {
      files.forEach(file -> take(ingestion, file));
    } finally {
      ingestion.complaints().forEach(err::println);
      out.println(json ? JsonLines.line(ingestion.fields()) : ingestion.words());
      if (!json) {
        ingestion.takingCrawl().ifPresent(out::println);
        ingestion.leftOut().forEach(out::println);
      }
    }
    // A list in Redis may be empty: others fill it.
    if (!ingestion.hasSeeds() && !files.stream().allMatch(RedisSeedList::isNamed)) {
      throw new WrongSetting(SeedLines.noneIn(files));
    }
    return ingestion.hasBadLines() ? Exit.BAD_LINES : Exit.DONE;
  }
}
