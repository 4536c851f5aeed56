package dev.comity.app.command.report;

import dev.comity.app.text.Fields;
import dev.comity.app.text.Timestamps;
import dev.comity.core.schedule.SourcePace;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.util.Durations;
import dev.comity.store.report.UrlRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What became of one URL, and by which wish of its site.
 *
 * @param known empty where the data directory has no such URL
 * @param global the interval of sources that set none
 */
record UrlReasons(CrawlUrl url, Optional<UrlRecord> known, Duration global, Instant now) {
  private static final double MILLIS = 1000;

  /** When its source has a turn again, if the URL is queued and the source has none now. */
  private static Optional<Instant> sourceDue(UrlRecord record, Duration global, Instant now) {
    return record.state().equals("queued")
        ? record.source().flatMap(source -> pace(source, global).dueAfter(now))
        : Optional.empty();
  }

  private static SourcePace pace(UrlRecord.UrlSource source, Duration global) {
    return SourcePace.of(source.interval(), global, source.lastStart());
  }

  private String spoken(UrlRecord.UrlSource source, UrlRecord record) {
    String interval =
        pace(source, global)
            .interval()
            .map(value -> "its interval is " + Durations.seconds(value))
            .orElse("it has no interval");
    return sourceDue(record, global, now)
        .map(
            due ->
                "waits until %s, set by the interval of its source %s: %s, and it last started at %s"
                    .formatted(
                        Timestamps.second(due),
                        source.name(),
                        interval,
                        source.lastStart().map(Timestamps::second).orElse("")))
        .orElseGet(
            () -> "is of source %s, which has a turn: %s".formatted(source.name(), interval));
  }

  List<String> lines() {
    if (known.isEmpty()) {
      return List.of(url + " is not known: no page led to it, or no scope or trap let it in");
    }
    UrlRecord record = known.get();
    List<String> lines = new ArrayList<>();
    lines.add(url + ": " + record.state() + by(record));
    record.source().ifPresent(source -> lines.add("  " + spoken(source, record)));
    record.refusal().ifPresent(refusal -> lines.add("  " + words(record, refusal)));
    record
        .outcome()
        .ifPresent(
            outcome ->
                lines.add(
                    "  last asked at %s: %s%s%s"
                        .formatted(
                            record.askedAt().map(Timestamps::second).orElse(""),
                            record.status().isPresent() ? record.status().getAsLong() + " " : "",
                            outcome,
                            record.detail().map(it -> " (" + it + ")").orElse(""))));
    next(record.next()).ifPresent(lines::add);
    record.wishes().ifPresent(wishes -> lines.add("  its site says about its use: " + wishes));
    return lines;
  }

  private Optional<String> next(UrlRecord.NextVisit next) {
    if (next.due().isEmpty()) {
      return next.missingSince()
          .map(
              since ->
                  "  gone: it was missing at " + Timestamps.second(since) + " and a week later");
    }
    return next.visited().isEmpty()
        ? Optional.empty()
        : Optional.of(
            "  next look: %s, %s%s"
                .formatted(
                    Timestamps.second(next.due().get()),
                    next.reason().words(),
                    next.daysBetweenChanges()
                        .map(days -> "; it changes once in %.1f days or so".formatted(days))
                        .orElse("")));
  }

  private static String by(UrlRecord record) {
    if (!record.state().equals("denied")) {
      return "";
    }
    return record.refusal().isPresent() ? " by a wish of its site" : " by robots.txt";
  }

  private static String words(UrlRecord record, UrlRecord.RefusalRecord refusal) {
    String what =
        !record.state().equals("denied")
            ? "its title, text and body were not kept"
            : refusal.origin().equals("header") ? "its body was not read" : "it was not asked";
    return "wish: %s says \"%s\", which refuses the purpose %s; %s (%s)"
        .formatted(
            refusal.origin(),
            refusal.words(),
            refusal.purpose(),
            what,
            Timestamps.second(refusal.at()));
  }

  Fields fields() {
    Fields fields = Fields.none().and("url", url).and("known", known.isPresent());
    known.ifPresent(
        record -> {
          fields
              .and("state", record.state())
              .and("outcome", record.outcome())
              .and("asked_at", record.askedAt())
              .and("detail", record.detail())
              .and("wishes", record.wishes())
              .and("visited_at", record.next().visited())
              .and("next_look_at", record.next().due())
              .and("next_look_reason", record.next().due().map(_ -> record.next().reason().code()))
              .and("missing_since", record.next().missingSince());
          record
              .source()
              .ifPresent(
                  source ->
                      fields.and(
                          "source",
                          Fields.none()
                              .and("name", source.name())
                              .and(
                                  "interval_seconds",
                                  pace(source, global)
                                      .interval()
                                      .map(value -> value.toMillis() / MILLIS))
                              .and("last_start", source.lastStart())
                              .and("due", sourceDue(record, global, now))));
          record
              .refusal()
              .ifPresent(
                  refusal ->
                      fields.and(
                          "wish",
                          Fields.none()
                              .and("purpose", refusal.purpose())
                              .and("in", refusal.origin())
                              .and("words", refusal.words())
                              .and("at", refusal.at())));
        });
    return fields;
  }
}
