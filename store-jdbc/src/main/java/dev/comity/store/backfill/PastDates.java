package dev.comity.store.backfill;

import dev.comity.core.schedule.DomainRefresh;
import dev.comity.core.schedule.NextLook;
import dev.comity.core.schedule.PageSeen;
import dev.comity.core.schedule.RefreshDates;
import dev.comity.core.schedule.RefreshRule;
import dev.comity.store.backfill.PastUrl.PastPage;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * Dates of a URL as its row has them: a page gets those that it would have after a first visit of
 * our own. One without a date is due at once.
 *
 * @param due in milliseconds; the others are in seconds
 */
record PastDates(
    long discovered, @Nullable Long due, @Nullable Long visited, @Nullable Long missing) {

  static PastDates of(PastUrl url, long now) {
    if (url.page().isEmpty()) {
      return new PastDates(now / 1000, null, null, null);
    }
    PastPage page = url.page().get();
    Instant at = at(page, now);
    PageSeen seen =
        PastAnswer.of(OptionalInt.of(page.status())) == PastAnswer.MISSING
            ? new PageSeen.MissingPage()
            : new PageSeen.NoAnswer();
    NextLook look =
        RefreshDates.ADAPTIVE.first(
            new RefreshDates.Visit(
                at,
                seen,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                RefreshDates.Subject.PAGE),
            DomainRefresh.first(at));
    return new PastDates(
        at.getEpochSecond(),
        page.due().or(look::due).map(Instant::toEpochMilli).orElse(null),
        at.getEpochSecond(),
        look.visits().missingSince().map(Instant::getEpochSecond).orElse(null));
  }

  /** When a page was visited; as long ago as makes it due, where that is not known. */
  static Instant at(PastPage page, long now) {
    return page.at().orElseGet(() -> Instant.ofEpochMilli(now).minus(RefreshRule.DEFAULTS.first()));
  }
}
