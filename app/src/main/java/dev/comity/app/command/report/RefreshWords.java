package dev.comity.app.command.report;

import dev.comity.app.text.Timestamps;
import dev.comity.app.text.Words;
import dev.comity.core.schedule.HintTrust;
import dev.comity.store.report.DomainRecord;
import dev.comity.store.report.RefreshRecord;
import dev.comity.store.report.StoreReader;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Says when the pages of a domain are looked at again, and why then. */
public final class RefreshWords {
  /** Fewer alarms are no verdict. */
  private static final int JUDGED = 10;

  private RefreshWords() {}

  static List<String> facts(StoreReader reader, DomainRecord domain, Instant now) {
    List<String> facts = new ArrayList<>();
    for (RefreshRecord record : reader.refreshPlan(List.of(domain.name()), now)) {
      record
          .domainDue()
          .ifPresent(
              due ->
                  facts.add(
                      "its pages are looked at again from %s on: %s due, of %s with a date; `comity refresh %s` visits them"
                          .formatted(
                              Timestamps.second(due),
                              record.dueNow(),
                              Words.count(record.pages(), "page"),
                              record.domain())));
      facts.add(
          String.format(
              Locale.ROOT,
              "its pages ask for %.1f visits a day, and its refresh budget is %.1f; the price of a"
                  + " visit is %.2f days of freshness",
              record.visitsADay(),
              record.budget(),
              record.learnt().price().days()));
      HintTrust trust = record.learnt().trust();
      if (trust.alarms() >= JUDGED) {
        facts.add(trusted(trust));
      }
    }
    return facts;
  }

  private static String trusted(HintTrust trust) {
    return String.format(
        Locale.ROOT,
        trust.isTrusted()
            ? "the dates in its sitemaps and feeds are followed: of %.0f, %.0f were right"
            : "the dates in its sitemaps and feeds are ignored, because they lie: of %.0f, %.0f"
                + " were right",
        trust.alarms(),
        trust.found());
  }
}
