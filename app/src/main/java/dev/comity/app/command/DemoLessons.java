package dev.comity.app.command;

import dev.comity.app.demo.DemoSite;
import dev.comity.app.demo.DemoWeb;
import dev.comity.app.demo.DemoWeb.Logged;
import dev.comity.app.process.Terminal;
import dev.comity.app.text.Table;
import dev.comity.app.text.Words;
import dev.comity.core.policy.DomainPolicy;
import dev.comity.core.policy.DomainState;
import dev.comity.core.policy.InFlight;
import dev.comity.core.policy.Pace;
import dev.comity.core.policy.lifecycle.DomainStatus;
import dev.comity.core.port.store.DomainLookups;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.util.Durations;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;

/** The table of what the crawl learnt of each demo site, beside the site's own log. */
record DemoLessons(DemoWeb web, DomainPolicy policy) {
  private static final List<Table.Heading> HEADINGS =
      List.of(
          Table.Heading.left("SITE"),
          Table.Heading.right("REQUESTS"),
          Table.Heading.right("OK"),
          Table.Heading.right("REFUSED"),
          Table.Heading.right("DELAY"),
          Table.Heading.left("SET BY"),
          Table.Heading.left("NOW"));

  List<String> lines(List<DemoSite> sites, DomainLookups store) {
    Table table = new Table(HEADINGS, Set.of("SET BY"));
    for (DemoSite site : sites) {
      CrawlUrl entrance = CrawlUrl.of(web.url(site, "/"));
      DomainState state = store.state(entrance.domain()).orElse(DomainState.FRESH);
      List<Logged> log = web.log(site);
      Pace pace = policy.explain(state, InFlight.NONE, Instant.now()).pace();
      table.row(
          List.of(
              site.name(),
              String.valueOf(log.size()),
              String.valueOf(log.stream().filter(line -> line.status() < 400).count()),
              String.valueOf(log.stream().filter(line -> line.status() == 429).count()),
              Durations.seconds(pace.effective()),
              pace.rule().words(),
              standing(state)),
          List.of());
    }
    return table.lines(Terminal.columns());
  }

  private static String standing(DomainState state) {
    DomainStatus status = state.standing().status();
    String words = Words.of(status);
    if (status == DomainStatus.ACTIVE) {
      return "more to come";
    }
    return words
        + state.standing().reason().map(why -> ": " + Words.of(why)).orElse("")
        + state
            .standing()
            .until()
            .map(until -> ", for " + Durations.rounded(Duration.between(Instant.now(), until)))
            .orElse("");
  }
}
