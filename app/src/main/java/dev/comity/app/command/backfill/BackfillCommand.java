package dev.comity.app.command.backfill;

import dev.comity.app.history.PastLogs;
import dev.comity.store.backfill.Backfill;
import dev.comity.store.backfill.PastRows;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code comity backfill FROM...}: makes domains and known pages of another program's log. */
@Command(
    name = "backfill",
    description = {
      "Take domains and pages over from another program's log. No request is made.",
      "",
      "A database has a table crawl_log (domain, page_url, status, images_found, crawled_at) and"
          + " perhaps one called provenance (source_domain, image_id). A file has one of both, by"
          + " its columns.",
      "",
      "A domain is closed when more than half of its requests failed, and exhausted otherwise;"
          + " `comity refresh` comes back to its pages. What is known already keeps its state. A"
          + " second time changes nothing. In a data directory not while a crawl is running."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:every row was taken",
      "2:invalid command line, or nothing could be read",
      "5:the data directory cannot be used",
      "6:some rows cannot be read or name no host; the others were taken"
    })
public final class BackfillCommand extends HistoryCommand {
  @Parameters(
      arity = "1..*",
      paramLabel = "FROM",
      description =
          "postgresql://NAME@HOST/DATABASE, a SQLite database, or a file that ends in .csv, .tsv,"
              + " .jsonl or .parquet. A password is in PGPASSWORD or ~/.pgpass.")
  private List<String> from = List.of();

  @Override
  void read(PastRows rows) {
    PastLogs logs = new PastLogs(rows);
    from.forEach(logs::read);
  }

  @Override
  String origin() {
    return Backfill.CRAWL_LOG;
  }
}
