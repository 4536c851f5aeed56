package dev.comity.core.port.store;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * What an operator has set for a domain. Workers obey it and never write it.
 *
 * @param paused whether no request is sent at all
 * @param minimum the least time between two requests; zero for none
 * @param concurrency requests in flight at once
 * @param maxPages pages that a run may settle
 */
public record OperatorTerms(
    boolean paused, Optional<Duration> minimum, OptionalInt concurrency, OptionalLong maxPages) {

  /** Nothing is set. */
  public static final OperatorTerms NONE =
      new OperatorTerms(false, Optional.empty(), OptionalInt.empty(), OptionalLong.empty());

  public OperatorTerms {
    // A column can be written by hand: what makes no sense is as good as nothing.
    minimum = minimum.map(interval -> interval.isNegative() ? Duration.ZERO : interval);
    concurrency = concurrency.orElse(1) < 1 ? OptionalInt.empty() : concurrency;
    maxPages = maxPages.orElse(1) < 1 ? OptionalLong.empty() : maxPages;
  }

  /** These terms, paused or not. */
  public OperatorTerms withPaused(boolean other) {
    return new OperatorTerms(other, minimum, concurrency, maxPages);
  }

  /** These terms with another interval; empty for the one of the run. */
  public OperatorTerms withMinimum(Optional<Duration> other) {
    return new OperatorTerms(paused, other, concurrency, maxPages);
  }

  /** These terms with another concurrency; empty for the one of the run. */
  public OperatorTerms withConcurrency(OptionalInt other) {
    return new OperatorTerms(paused, minimum, other, maxPages);
  }

  /** These terms with another number of pages; empty for the one of the run. */
  public OperatorTerms withMaxPages(OptionalLong other) {
    return new OperatorTerms(paused, minimum, concurrency, other);
  }
}
