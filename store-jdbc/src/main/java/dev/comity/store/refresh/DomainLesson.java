package dev.comity.store.refresh;

import dev.comity.core.outcome.Attempt;
import dev.comity.core.port.store.Settlement;
import dev.comity.core.schedule.DomainRefresh;
import dev.comity.core.schedule.NextLook;
import dev.comity.core.schedule.PageVisits;
import dev.comity.core.schedule.RefreshDates;
import dev.comity.core.trap.Traps;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What the holder of a domain knows of its refreshes.
 *
 * @param known null until a page was visited again
 * @param isNew whether visits have taught something that is not written yet
 */
public record DomainLesson(@Nullable DomainRefresh known, boolean isNew) {
  public static final DomainLesson NONE = new DomainLesson(null, false);

  /** When a page is looked at next, and what is known of its domain then. */
  public record DatedVisit(NextLook look, DomainLesson after) {}

  /**
   * Dates a page by what its visit showed.
   *
   * @param stored what the row of the domain has at this time
   */
  public DatedVisit next(
      RefreshDates dates, Settlement settlement, Function<Instant, DomainRefresh> stored) {
    Instant at = settlement.attempt().map(Attempt::startedAt).orElseThrow();
    RefreshDates.Visit visit = settlement.visit(at);
    Optional<PageVisits> before = settlement.entry().visits();
    if (before.isEmpty()) {
      return new DatedVisit(
          dates.first(visit, known == null ? DomainRefresh.first(at) : known), this);
    }
    DomainRefresh domain = known == null ? stored.apply(at) : known;
    NextLook look =
        dates.again(before.get(), Traps.templateOf(settlement.entry().url()), visit, domain);
    return new DatedVisit(
        look, new DomainLesson(look.domain(), isNew || !look.domain().equals(domain)));
  }

  /** The row of the domain has it. */
  public DomainLesson written() {
    return new DomainLesson(known, false);
  }
}
