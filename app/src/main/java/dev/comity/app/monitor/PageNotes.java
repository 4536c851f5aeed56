package dev.comity.app.monitor;

import dev.comity.app.process.Screen;
import dev.comity.app.text.Timestamps;
import dev.comity.app.text.Words;
import dev.comity.core.outcome.Category;
import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.outcome.Fetched;
import dev.comity.core.outcome.Kind;
import dev.comity.core.policy.Fate;
import dev.comity.core.port.CrawlListener;
import dev.comity.core.port.fetch.SitemapReader;
import dev.comity.core.port.store.Ending;
import dev.comity.core.port.store.Settlement;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.DomainName;

/** Shows every URL that is settled as one line: how it ended, which one, how long it took. */
record PageNotes(Screen screen) implements CrawlListener {

  @Override
  public void settled(DomainName domain, Settlement settlement) {
    if (settlement.entry().kind() == Kind.SITEMAP) {
      sitemap(settlement);
      return;
    }
    if (settlement.entry().kind() == Kind.IMAGE) {
      image(settlement);
      return;
    }
    switch (settlement.fate()) {
      case Fate.Done _ when settlement.entry().kind() == Kind.LINKS ->
          note(status(settlement), settlement, "for its links");
      case Fate.Done _ -> note(status(settlement), settlement, took(settlement));
      case Fate.Failed(var reason) -> note("failed", settlement, reason.code());
      case Fate.Denied(var wish) ->
          note("denied", settlement, wish.map(refusal -> "wish: " + refusal).orElse("robots.txt"));
      case Fate.Suppressed _ -> note("left", settlement, "a trap");
      case Fate.Skipped _ -> note("skipped", settlement, type(settlement));
      case Fate.Moved _, Fate.Retry _, Fate.Returned _ -> {}
    }
  }

  /** A sitemap that was read is printed with its URLs; here are those that failed. */
  private void sitemap(Settlement settlement) {
    switch (settlement.fate()) {
      case Fate.Done(var category) when category != Category.SUCCESS ->
          note(status(settlement), settlement, "sitemap");
      case Fate.Failed(var reason) -> note("failed", settlement, "sitemap, " + reason.code());
      case Fate _ -> {}
    }
  }

  private void image(Settlement settlement) {
    switch (settlement.fate()) {
      case Fate.Done _ -> note(status(settlement), settlement, "image");
      case Fate.Failed(var reason) -> note("failed", settlement, "image, " + reason.code());
      case Fate.Denied _ -> note("denied", settlement, "image, robots.txt");
      case Fate.Skipped _ -> note("skipped", settlement, "image, " + remark(settlement));
      case Fate.Suppressed _, Fate.Moved _, Fate.Retry _, Fate.Returned _ -> {}
    }
  }

  private static String remark(Settlement settlement) {
    return settlement.fetched().flatMap(Fetched::note).orElseGet(() -> type(settlement));
  }

  @Override
  public void listed(DomainName domain, CrawlUrl sitemap, SitemapReader.Tally tally) {
    screen.line(
        String.format(
            "sitemap %s  %s%s%s",
            sitemap,
            Words.count(tally.listed(), "URL"),
            tally.unreadable() == 0 ? "" : ", " + tally.unreadable() + " unreadable",
            tally.whole() ? "" : ", cut off"));
  }

  @Override
  public void ended(DomainName domain, Ending ending) {
    switch (ending) {
      case Ending.JobFailed(var why) -> screen.line("gave up " + domain + ": " + why);
      case Ending.RestUntil(var at, var why) ->
          screen.line("left " + domain + " alone until " + Timestamps.second(at) + ": " + why);
      case Ending.DueLater(var at, var why) ->
          screen.line("deferred " + domain + " until " + Timestamps.second(at) + ": " + why);
      case Ending.DomainOutOfBudget _ ->
          screen.line(
              domain + " has had its share of this run (--max-pages-per-domain gives more)");
      // What is closed is told of with what else changes.
      case Ending.Closed _,
          Ending.Exhausted _,
          Ending.RunOutOfBudget _,
          Ending.Borrowed _,
          Ending.Paused _,
          Ending.Stopped _,
          Ending.SetAside _,
          Ending.Lost _ -> {}
    }
  }

  private void note(String word, Settlement settlement, String remark) {
    screen.note(String.format("%-7s %s  %s", word, settlement.entry().url(), remark));
  }

  private static String status(Settlement settlement) {
    return settlement
        .fetched()
        .flatMap(
            fetched -> fetched.outcome().status().stream().mapToObj(Integer::toString).findFirst())
        .orElse("done");
  }

  private static String type(Settlement settlement) {
    return settlement.fetched().map(Fetched::outcome).orElse(null)
            instanceof FetchOutcome.WrongType(int _, String type)
        ? type
        : "by its ending";
  }

  private static String took(Settlement settlement) {
    return settlement.fetched().map(fetched -> fetched.total().toMillis() + " ms").orElse("");
  }
}
