package dev.comity.app.command.backfill;

import dev.comity.app.text.Fields;
import dev.comity.app.text.Table;
import dev.comity.app.text.Table.Heading;
import dev.comity.app.text.Words;
import dev.comity.store.backfill.Backfill;
import dev.comity.store.backfill.HistoryStore.Opened;
import dev.comity.store.backfill.LeftOutRows;
import dev.comity.store.backfill.StagedHistory.Extent;
import dev.comity.store.backfill.StoredHistory.Coverage;
import dev.comity.store.backfill.StoredHistory.StatusAverages;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** What a backfill found and did, with the queries that validate it. */
record HistoryReport(
    long rows,
    LeftOutRows leftOut,
    Extent extent,
    Backfill.BackfillResult done,
    Coverage coverage,
    boolean dry) {

  Fields fields() {
    Fields closed = Fields.none();
    done.closed().forEach((why, count) -> closed.and(why.toLowerCase(Locale.ROOT), count));
    List<Fields> byStatus =
        coverage.byStatus().entrySet().stream().map(HistoryReport::fields).toList();
    Fields fields =
        Fields.none()
            .and("dry_run", dry)
            .and("rows", rows)
            .and("left_out", leftOut.count())
            .and("domains", domains())
            .and("merged_domains", extent.merged())
            .and("new_domains", done.domains(Opened.NEW))
            .and("known_domains", done.domains(Opened.KNOWN))
            .and("held_domains", done.domains(Opened.HELD))
            .and("damaged_domains", done.domains(Opened.DAMAGED))
            .and("closed", closed)
            .and("urls", extent.urls());
    if (!dry) {
      fields
          .and("new_pages", done.urls().pages())
          .and("new_failed", done.urls().failed())
          .and("new_queued", done.urls().queued())
          .and("known_urls", done.urls().known())
          .and("no_room", done.urls().noRoom());
    }
    return fields
        .and("image_domains_without_log", done.domains(Opened.UNVISITED))
        .and(
            "validation",
            Fields.none()
                .and("crawl_log_domains", extent.spellings())
                .and("backfilled_domains", coverage.backfilled())
                .and("total_domains", coverage.domains())
                .and("by_status", byStatus));
  }

  /** Those with a request or a known name. */
  private long domains() {
    return extent.domains() - done.domains(Opened.UNVISITED);
  }

  private static Fields fields(Map.Entry<String, StatusAverages> one) {
    return Fields.none()
        .and("status", one.getKey())
        .and("domain_count", one.getValue().domains())
        .and("avg_yield", one.getValue().averageYield())
        .and("avg_pages", one.getValue().averagePages());
  }

  List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add("%s read, %d left out".formatted(Words.count(rows, "row"), leftOut.count()));
    lines.add(
        "%s%s: %s%d new, %d known already"
            .formatted(
                Words.count(domains(), "domain"),
                extent.merged() == 0
                    ? ""
                    : ", %d of them in several spellings".formatted(extent.merged()),
                dry ? "would be " : "",
                done.domains(Opened.NEW),
                done.domains(Opened.KNOWN)));
    done.closed()
        .forEach(
            (why, count) ->
                lines.add("  closed (%s): %d".formatted(why.toLowerCase(Locale.ROOT), count)));
    if (dry) {
      lines.add("%s in all; nothing was written".formatted(Words.count(extent.urls(), "URL")));
    } else {
      lines.add(
          "%s: %d pages with dates, %d failed, %d queued, %d known already"
              .formatted(
                  Words.count(extent.urls(), "URL"),
                  done.urls().pages(),
                  done.urls().failed(),
                  done.urls().queued(),
                  done.urls().known()));
    }
    warnings(lines);
    validation(lines);
    return lines;
  }

  private void warnings(List<String> lines) {
    if (done.urls().noRoom() > 0) {
      lines.add(
          "%d URLs have no room: their domains have the most unfinished URLs they may have"
              .formatted(done.urls().noRoom()));
    }
    if (!done.held().isEmpty()) {
      lines.add(
          "%d domains are held by a worker or damaged; run it again later: %s"
              .formatted(
                  done.domains(Opened.HELD) + done.domains(Opened.DAMAGED),
                  String.join(", ", done.held())));
    }
    if (done.domains(Opened.UNVISITED) > 0) {
      lines.add(
          "%s with images and no request, not known either: left out"
              .formatted(Words.count(done.domains(Opened.UNVISITED), "domain")));
    }
  }

  /** The validation queries of the fifth document. */
  private void validation(List<String> lines) {
    lines.add(
        "validation: %d names in the log, %d backfilled domains, %d domains in all"
            .formatted(extent.spellings(), coverage.backfilled(), coverage.domains()));
    if (coverage.byStatus().isEmpty()) {
      return;
    }
    Table table =
        new Table(
            List.of(
                Heading.left("STATUS"),
                Heading.right("DOMAINS"),
                Heading.right("AVERAGE YIELD"),
                Heading.right("AVERAGE PAGES")),
            Set.of());
    coverage
        .byStatus()
        .forEach(
            (status, averages) ->
                table.row(
                    List.of(
                        status,
                        Long.toString(averages.domains()),
                        String.format(Locale.ROOT, "%.2f", averages.averageYield()),
                        String.format(Locale.ROOT, "%.1f", averages.averagePages())),
                    List.of()));
    lines.addAll(table.lines(80));
  }
}
