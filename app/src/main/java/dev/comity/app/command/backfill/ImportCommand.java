package dev.comity.app.command.backfill;

import dev.comity.app.history.ImportFormat;
import dev.comity.app.text.Words;
import dev.comity.store.backfill.PastRows;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code comity import CRAWLER FILE...}: goes on where another crawler stopped. */
@Command(
    name = "import",
    description = {
      "Take URLs over from another crawler. No request is made.",
      "",
      "nutch: files of `nutch readdb -dump`, as text or .csv. heritrix: frontier.recover.gz."
          + " scrapy: a JOBDIR; its queue is read, but what it has fetched is kept as hashes only.",
      "",
      "URLs that wait are queued, and `comity crawl` without a URL goes on with them. URLs that"
          + " were fetched are known pages with dates, for `comity refresh`. A second time changes"
          + " nothing. In a data directory not while a crawl is running."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:every URL was taken",
      "2:invalid command line, or nothing could be read",
      "5:the data directory cannot be used",
      "6:some lines cannot be read or name no host; the others were taken"
    })
public final class ImportCommand extends HistoryCommand {
  @Parameters(index = "0", paramLabel = "CRAWLER", description = "nutch, heritrix or scrapy.")
  private ImportFormat format = ImportFormat.NUTCH;

  @Parameters(index = "1..*", arity = "1..*", paramLabel = "FILE", description = "What it left.")
  private List<String> files = List.of();

  @Override
  void read(PastRows rows) {
    files.forEach(file -> format.read(file, rows));
  }

  @Override
  String origin() {
    return "import_" + Words.of(format);
  }

  /** A list of URLs does not tell how often each was asked. */
  @Override
  boolean closesDomains() {
    return false;
  }
}
