package dev.comity.app.command;

import dev.comity.app.output.JsonLines;
import dev.comity.app.process.Exit;
import dev.comity.app.text.Fields;
import dev.comity.app.text.Timestamps;
import dev.comity.store.report.RefreshRecord;
import java.io.PrintWriter;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** Shows when pages are looked at again, by domain and in all. */
record RefreshPlanView(PrintWriter out, boolean json) {
  private static final String LINE = "%-32s %8s %8s %12s %7s  %s%n";

  int show(List<RefreshRecord> domains) {
    if (json) {
      domains.forEach(domain -> out.println(JsonLines.line(fields(domain))));
      out.println(JsonLines.line(sum(domains)));
    } else if (domains.isEmpty()) {
      out.println("No domain is crawled to its end, so no page has a date.");
    } else {
      out.printf(LINE, "domain", "pages", "due now", "requests/day", "fresh", "next due");
      domains.forEach(this::line);
      out.printf(
          LINE,
          "all",
          pages(domains),
          due(domains),
          number(requests(domains)),
          percent(fresh(domains)),
          "");
    }
    out.flush();
    return Exit.DONE;
  }

  private void line(RefreshRecord domain) {
    out.printf(
        LINE,
        domain.domain(),
        domain.pages(),
        domain.dueNow(),
        number(domain.requestsADay()),
        percent(domain.fresh()),
        domain.domainDue().or(domain::nextDue).map(Timestamps::second).orElse(""));
  }

  private static Fields fields(RefreshRecord domain) {
    return Fields.none()
        .and("domain", domain.domain())
        .and("pages", domain.pages())
        .and("due_now", domain.dueNow())
        .and("next_due_at", domain.nextDue())
        .and("next_refresh_at", domain.domainDue())
        .and("requests_a_day", domain.requestsADay())
        .and("refresh_budget", domain.budget())
        .and("expected_fresh", domain.fresh())
        .and("hint_trust", domain.learnt().trust().trust());
  }

  private static Fields sum(List<RefreshRecord> domains) {
    return Fields.none()
        .and("domains", domains.size())
        .and("pages", pages(domains))
        .and("due_now", due(domains))
        .and(
            "next_due_at",
            domains.stream().flatMap(one -> one.nextDue().stream()).min(Comparator.naturalOrder()))
        .and("requests_a_day", requests(domains))
        .and("expected_fresh", fresh(domains));
  }

  private static long pages(List<RefreshRecord> domains) {
    return domains.stream().mapToLong(RefreshRecord::pages).sum();
  }

  private static long due(List<RefreshRecord> domains) {
    return domains.stream().mapToLong(RefreshRecord::dueNow).sum();
  }

  private static double requests(List<RefreshRecord> domains) {
    return domains.stream().mapToDouble(RefreshRecord::requestsADay).sum();
  }

  private static double fresh(List<RefreshRecord> domains) {
    long pages = pages(domains);
    return pages == 0
        ? 0
        : domains.stream().mapToDouble(one -> one.fresh() * one.pages()).sum() / pages;
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.1f", value);
  }

  private static String percent(double value) {
    return String.format(Locale.ROOT, "%.1f%%", 100 * value);
  }
}
