package dev.comity.app.command.report;

import dev.comity.app.output.TrapFields;
import dev.comity.app.settings.Settings;
import dev.comity.app.text.Fields;
import dev.comity.app.text.Timestamps;
import dev.comity.app.text.Words;
import dev.comity.core.policy.Explanation;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.util.Durations;
import dev.comity.core.util.Printable;
import dev.comity.store.report.DomainRecord;
import dev.comity.store.report.QueueRecord;
import dev.comity.store.report.StoreReader;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code comity why NAME}: explains a domain's delay, or why it is not asked. */
@Command(
    name = "why",
    description = {
      "Say which rule sets a domain's delay, when its next request may start, what would change"
          + " that, and why nothing happens. Of a URL: what became of it, and which wish of its"
          + " site refuses it."
    })
public final class WhyCommand extends ReportCommand {
  @Parameters(
      paramLabel = "NAME|URL",
      description = "The domain, in any spelling of its host; or a URL, which is explained first.")
  private String name = "";

  @Override
  void report(StoreReader reader) {
    Settings settings = settings();
    Instant now = Instant.now();
    DomainRecord domain = known(reader, name);
    Optional<UrlReasons> url = url(reader, domain, settings, now);
    QueueRecord.Urls queue = reader.queue(domain.id(), now);
    Reasons reasons = new Reasons(domain, queue, settings, reader.isCrawled(), now);
    Explanation explanation = reasons.explanation();
    List<String> facts = new ArrayList<>(reasons.facts(reader.openRun()));
    reader.requests(domain.id(), 1).stream()
        .flatMap(last -> LastRequest.words(last).stream())
        .forEach(facts::addFirst);
    facts.addAll(TrapFields.words(reader, domain));
    facts.addAll(TrapFields.emptyPages(reader, domain));
    facts.addAll(RefreshWords.facts(reader, domain, now));
    if (inJson()) {
      Fields fields = fields(domain, explanation, facts);
      url.ifPresent(one -> fields.and("url", one.fields()));
      say(fields);
    } else {
      url.ifPresent(one -> one.lines().forEach(line -> say(Printable.text(line))));
      show(domain, explanation, facts);
    }
  }

  /** A name with a scheme is a URL. */
  private Optional<UrlReasons> url(
      StoreReader reader, DomainRecord domain, Settings settings, Instant now) {
    return name.contains("://") && CrawlUrl.parse(name) instanceof CrawlUrl url
        ? Optional.of(
            new UrlReasons(
                url, reader.url(domain.id(), url), settings.policy().pace().minimum(), now))
        : Optional.empty();
  }

  private void show(DomainRecord domain, Explanation explanation, List<String> facts) {
    say(
        "%s: %s between requests, set by %s"
            .formatted(
                domain.name(),
                Durations.seconds(explanation.pace().effective()),
                explanation.pace().rule().words()));
    for (Explanation.Considered one : explanation.considered()) {
      say("  considered: " + one.rule().words() + ", " + Durations.seconds(one.delay()));
    }
    say("  in flight: " + explanation.concurrency() + " at most");
    say(
        "next request: "
            + explanation.next().map(Timestamps::second).orElse("not a matter of time")
            + explanation.waiting().map(why -> " (" + why + ")").orElse(" at the earliest"));
    say("now:");
    facts.forEach(fact -> say("  - " + Printable.text(fact)));
    say("what would change it:");
    explanation.toChange().forEach(change -> say("  - " + Printable.text(change)));
  }

  private static Fields fields(DomainRecord domain, Explanation explanation, List<String> facts) {
    return Fields.none()
        .and("domain", domain.name())
        .and("status", Words.of(domain.standing().status()))
        .and("delay_ms", explanation.pace().effective())
        .and("rule", Words.of(explanation.pace().rule()))
        .and(
            "considered",
            explanation.considered().stream()
                .map(
                    one ->
                        Fields.none()
                            .and("rule", Words.of(one.rule()))
                            .and("delay_ms", one.delay()))
                .toList())
        .and("concurrency", explanation.concurrency())
        .and("next_at", explanation.next())
        .and("waiting", explanation.waiting())
        .and("facts", facts)
        .and("to_change", explanation.toChange());
  }
}
