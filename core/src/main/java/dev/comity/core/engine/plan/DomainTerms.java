package dev.comity.core.engine.plan;

import dev.comity.core.policy.Limits;
import dev.comity.core.port.store.OperatorTerms;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * The terms of a single domain, in place of those of all domains.
 *
 * @param minimum the least time between two requests; zero for none
 * @param concurrency requests in flight at once
 * @param maxPages pages the run may settle
 */
public record DomainTerms(
    Optional<Duration> minimum, OptionalInt concurrency, OptionalLong maxPages) {

  /** Nothing is set. */
  public static final DomainTerms NONE =
      new DomainTerms(Optional.empty(), OptionalInt.empty(), OptionalLong.empty());

  public DomainTerms {
    if (minimum.isPresent() && minimum.get().isNegative()) {
      throw new IllegalArgumentException("delay must not be negative, not " + minimum.get());
    }
    if (concurrency.orElse(1) < 1) {
      throw new IllegalArgumentException(
          "concurrency must be at least 1, not " + concurrency.orElse(1));
    }
    if (maxPages.orElse(1) < 1) {
      throw new IllegalArgumentException(
          "max-pages-per-domain must be at least 1, not " + maxPages.orElse(1));
    }
  }

  /** These terms, with what the operator has set in their place. */
  DomainTerms under(OperatorTerms operator) {
    return new DomainTerms(
        operator.minimum().or(() -> minimum),
        operator.concurrency().isPresent() ? operator.concurrency() : concurrency,
        operator.maxPages().isPresent() ? operator.maxPages() : maxPages);
  }

  /** These terms with this least time between two requests. */
  public DomainTerms withDelay(Duration least) {
    return new DomainTerms(Optional.of(least), concurrency, maxPages);
  }

  /** These terms with so many requests in flight at once. */
  public DomainTerms withConcurrency(int most) {
    return new DomainTerms(minimum, OptionalInt.of(most), maxPages);
  }

  /** These terms with so many pages in a run. */
  public DomainTerms withMaxPages(long most) {
    return new DomainTerms(minimum, concurrency, OptionalLong.of(most));
  }

  /** These terms with as many pages as any domain may have. */
  public DomainTerms withoutBudget() {
    return new DomainTerms(minimum, concurrency, OptionalLong.empty());
  }

  /**
   * The limits of a domain: these terms, and what its robots.txt asks for. An earlier run may have
   * had other terms, so a limit that is not set now is removed.
   */
  public Limits on(Limits before) {
    return new Limits(
        minimum, before.crawlDelay(), concurrency, before.announced(), before.visitTime());
  }
}
