package dev.comity.app.command.operate;

import dev.comity.app.settings.WrongSetting;
import dev.comity.app.text.DurationConverter;
import dev.comity.core.port.store.OperatorTerms;
import dev.comity.core.util.Printable;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** What an operator can set for a domain, as options. */
final class TermsOptions {
  /** Takes a value back. */
  private static final String DEFAULT = "default";

  /** A site that asks for more than this is not crawled at all. */
  private static final Duration LONGEST = Duration.ofDays(30);

  @Option(
      names = "--min-interval",
      paramLabel = "TIME",
      description =
          "The least time between two requests, such as 3s or 500ms; `default` for that of the"
              + " run. A longer Crawl-delay or learned delay counts all the same.")
  private @Nullable String interval;

  @Option(
      names = "--max-pages",
      paramLabel = "N",
      description = "Pages of it that a run may have; `default` for what the run says.")
  private @Nullable String pages;

  @Option(
      names = "--concurrency",
      paramLabel = "N",
      description = "Requests in flight at once; `default` for what the run says.")
  private @Nullable String concurrency;

  @Option(
      names = "--pause",
      description = "Send no more requests, until --resume. All that is known of it stays.")
  private boolean pause;

  @Option(names = "--resume", description = "Let a paused domain go on.")
  private boolean resume;

  /**
   * The change that these options ask for.
   *
   * @throws WrongSetting if they ask for none, or cannot be read
   */
  UnaryOperator<OperatorTerms> change() {
    if (pause && resume) {
      throw new WrongSetting("--pause and --resume are both given; leave one of them out");
    }
    if (!pause && !resume && Stream.of(interval, pages, concurrency).allMatch(one -> one == null)) {
      throw new WrongSetting(
          "nothing is to be set: give --min-interval, --max-pages, --concurrency, --pause or"
              + " --resume");
    }
    UnaryOperator<OperatorTerms> change =
        terms -> pause || resume ? terms.withPaused(pause) : terms;
    return then(then(then(change, interval()), pages()), concurrency());
  }

  private static UnaryOperator<OperatorTerms> then(
      UnaryOperator<OperatorTerms> first, UnaryOperator<OperatorTerms> second) {
    return terms -> second.apply(first.apply(terms));
  }

  private UnaryOperator<OperatorTerms> interval() {
    if (interval == null) {
      return UnaryOperator.identity();
    }
    Optional<Duration> wanted =
        interval.equals(DEFAULT) ? Optional.empty() : Optional.of(time(interval));
    return terms -> terms.withMinimum(wanted);
  }

  private static Duration time(String text) {
    try {
      Duration time = new DurationConverter().convert(text);
      if (time.compareTo(LONGEST) <= 0) {
        return time;
      }
    } catch (TypeConversionException _) {
      // Said below.
    }
    throw new WrongSetting(
        "min-interval is %s, but must be a time up to 30d, such as 500ms, 3s or 10m, or `default`"
            .formatted(Printable.text(text)));
  }

  private UnaryOperator<OperatorTerms> pages() {
    if (pages == null) {
      return UnaryOperator.identity();
    }
    OptionalLong wanted = number("max-pages", pages, Long.MAX_VALUE);
    return terms -> terms.withMaxPages(wanted);
  }

  private UnaryOperator<OperatorTerms> concurrency() {
    if (concurrency == null) {
      return UnaryOperator.identity();
    }
    OptionalLong wanted = number("concurrency", concurrency, Integer.MAX_VALUE);
    return terms ->
        terms.withConcurrency(
            wanted.isPresent() ? OptionalInt.of((int) wanted.getAsLong()) : OptionalInt.empty());
  }

  private static OptionalLong number(String name, String text, long most) {
    if (text.equals(DEFAULT)) {
      return OptionalLong.empty();
    }
    try {
      long number = Long.parseLong(text);
      if (number >= 1 && number <= most) {
        return OptionalLong.of(number);
      }
    } catch (NumberFormatException _) {
      // Said below.
    }
    throw new WrongSetting(
        "%s is %s, but must be a whole number from 1 to %d, or `default`"
            .formatted(name, Printable.text(text), most));
  }
}
