package dev.comity.app.command.operate;

import dev.comity.app.text.Fields;
import dev.comity.core.port.store.Operations.TermsChange;
import dev.comity.core.port.store.OperatorTerms;
import dev.comity.core.util.Durations;
import dev.comity.store.report.DomainRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** What was set for a domain, in words and as fields. */
final class TermsWords {
  private TermsWords() {}

  /** {@code example.com: minimum interval 3 s instead of the default}. */
  static String line(TermsChange done, boolean dry) {
    OperatorTerms before = done.before();
    OperatorTerms after = done.after();
    List<String> words = new ArrayList<>();
    if (before.paused() != after.paused()) {
      words.add(after.paused() ? "paused" : "resumed");
    }
    differs("minimum interval", interval(before), interval(after)).ifPresent(words::add);
    differs("pages of a run", pages(before.maxPages()), pages(after.maxPages()))
        .ifPresent(words::add);
    differs("in flight", concurrency(before), concurrency(after)).ifPresent(words::add);
    String all = words.isEmpty() ? "nothing to change" : String.join(", ", words);
    return done.domain() + ": " + (dry && !words.isEmpty() ? "would be set: " : "") + all;
  }

  private static Optional<String> differs(String name, String before, String after) {
    return before.equals(after)
        ? Optional.empty()
        : Optional.of("%s %s instead of %s".formatted(name, after, before));
  }

  private static String interval(OperatorTerms terms) {
    return terms.minimum().map(Durations::seconds).orElse("the default");
  }

  private static String pages(OptionalLong pages) {
    return pages.isPresent() ? Long.toString(pages.getAsLong()) : "the default";
  }

  private static String concurrency(OperatorTerms terms) {
    OptionalInt most = terms.concurrency();
    return most.isPresent() ? Integer.toString(most.getAsInt()) : "the default";
  }

  /** Says what counts instead, where the site wants a longer delay than was set. */
  static Optional<String> longer(DomainRecord domain, OperatorTerms after) {
    Duration asked = domain.pacing().crawlDelay();
    Duration learned = domain.pacing().learned();
    boolean byRobots = asked.compareTo(learned) >= 0;
    Duration longest = byRobots ? asked : learned;
    return after.minimum().filter(interval -> interval.compareTo(longest) < 0).isEmpty()
        ? Optional.empty()
        : Optional.of(
            "%s between requests counts all the same: %s"
                .formatted(
                    Durations.seconds(longest),
                    byRobots ? "its robots.txt asks for it" : "its refusals taught it"));
  }

  static Fields fields(TermsChange done, boolean dry) {
    return Fields.none()
        .and("domain", done.domain())
        .and("changed", !done.before().equals(done.after()))
        .and("dry_run", dry)
        .with(fields(done.after()))
        .and("before", fields(done.before()));
  }

  private static Fields fields(OperatorTerms terms) {
    return Fields.none()
        .and("paused", terms.paused())
        .and("min_interval_ms", terms.minimum())
        .and("max_concurrency", terms.concurrency())
        .and("max_pages", terms.maxPages());
  }
}
