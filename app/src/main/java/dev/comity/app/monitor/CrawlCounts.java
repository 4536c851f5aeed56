package dev.comity.app.monitor;

import dev.comity.app.output.TrapFields;
import dev.comity.app.text.Fields;
import dev.comity.app.text.Words;
import dev.comity.core.outcome.Attempt;
import dev.comity.core.outcome.Category;
import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.outcome.Fetched;
import dev.comity.core.outcome.Kind;
import dev.comity.core.policy.Fate;
import dev.comity.core.policy.lifecycle.CloseReason;
import dev.comity.core.port.CrawlListener;
import dev.comity.core.port.store.Ending;
import dev.comity.core.port.store.Settlement;
import dev.comity.core.port.store.Settlement.PageContent;
import dev.comity.core.schedule.VisitResult;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.DomainName;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Counts settlements and requests, for the live view and the summary. */
public final class CrawlCounts implements CrawlListener {
  /** The site chooses types; more are counted together. */
  private static final int MOST_TYPES = 12;

  private final Map<Integer, Integer> byStatus = new TreeMap<>();
  private final Map<Category, Integer> failed = new EnumMap<>(Category.class);
  private final Map<CloseReason, Integer> closed = new EnumMap<>(CloseReason.class);
  private final String howToFollow;
  private int requests;
  private int refusals;
  private int denied;
  private int refused;
  private int dropped;
  private int suppressed;
  private int skipped;
  private final Map<String, Integer> skippedTypes = new TreeMap<>();
  private int unkept;
  private int linksSuppressed;
  private int leftOut;
  private int imagesFound;
  private int imagesKept;
  private int imagesRefused;
  private int moved;
  private Optional<CrawlUrl> movedTo = Optional.empty();
  private long setAside;
  private boolean busy;
  private final Map<VisitResult, Integer> visits = new EnumMap<>(VisitResult.class);
  private boolean isRefresh;

  /** Jobs that failed, and those that ended otherwise. */
  private int givenUp;

  private int jobsEnded;
  private Optional<Long> descriptors = Optional.empty();

  public CrawlCounts() {
    this("start there to follow");
  }

  /**
   * @param howToFollow says what to do about seeds that moved out of scope
   */
  public CrawlCounts(String howToFollow) {
    this.howToFollow = howToFollow;
  }

  @Override
  public synchronized void claimed(DomainName domain) {
    busy = true;
  }

  @Override
  public synchronized void started(DomainName domain, Attempt attempt) {
    requests++;
  }

  @Override
  public synchronized void answered(DomainName domain, Attempt attempt, Fetched fetched) {
    if (fetched.outcome() instanceof FetchOutcome.RateLimited) {
      refusals++;
    }
  }

  @Override
  public synchronized void settled(DomainName domain, Settlement settlement) {
    if (settlement.entry().kind() == Kind.IMAGE) {
      countImage(settlement);
    }
    if (settlement.entry().kind() != Kind.PAGE) {
      return;
    }
    settlement.visited().ifPresent(result -> visits.merge(result, 1, Integer::sum));
    imagesFound += settlement.isPage() ? settlement.images().found() : 0;
    unkept += settlement.isUnkept() ? 1 : 0;
    leftOut += settlement.page().map(PageContent::leftOut).orElse(0);
    switch (settlement.fate()) {
      case Fate.Done _ -> {
        dropped += settlement.refusal().isPresent() ? 1 : 0;
        countMove(settlement);
        settlement
            .fetched()
            .ifPresent(
                fetched ->
                    fetched
                        .outcome()
                        .status()
                        .ifPresent(code -> byStatus.merge(code, 1, Integer::sum)));
      }
      case Fate.Failed(var reason) -> failed.merge(reason, 1, Integer::sum);
      case Fate.Denied(var wish) when wish.isPresent() -> refused++;
      case Fate.Denied _ -> denied++;
      case Fate.Suppressed _ -> suppressed++;
      case Fate.Skipped _ -> skip(settlement);
      case Fate.Moved _, Fate.Retry _, Fate.Returned _ -> {}
    }
  }

  /** Counts an answer that is not kept, by its type. */
  private void skip(Settlement settlement) {
    skipped++;
    if (settlement.fetched().map(Fetched::outcome).orElse(null)
        instanceof FetchOutcome.WrongType(int _, String type)) {
      boolean isNamed = skippedTypes.containsKey(type) || skippedTypes.size() < MOST_TYPES;
      skippedTypes.merge(isNamed ? type : "of other types", 1, Integer::sum);
    }
  }

  /** {@code 5 URLs skipped (not HTML: 2 application/pdf, 3 by their endings)}. */
  private String skippedWords() {
    int typed = skippedTypes.values().stream().mapToInt(Integer::intValue).sum();
    List<String> types = new ArrayList<>();
    skippedTypes.forEach((type, number) -> types.add(number + " " + type));
    if (typed > 0 && typed < skipped) {
      types.add((skipped - typed) + " by their endings");
    }
    return "%s skipped (not HTML%s)"
        .formatted(
            Words.count(skipped, "URL"), types.isEmpty() ? "" : ": " + String.join(", ", types));
  }

  private void countImage(Settlement settlement) {
    switch (settlement.fate()) {
      case Fate.Done _ -> imagesKept += settlement.isImage() ? 1 : 0;
      case Fate.Failed _, Fate.Denied _, Fate.Skipped _ -> imagesRefused++;
      case Fate.Suppressed _, Fate.Moved _, Fate.Retry _, Fate.Returned _ -> {}
    }
  }

  /** A seed's redirect that is not followed leads out of scope, or is one too many. */
  private void countMove(Settlement settlement) {
    Optional<CrawlUrl> target = settlement.location();
    if (settlement.entry().isStart() && target.isPresent() && settlement.found().isEmpty()) {
      moved++;
      movedTo = movedTo.or(() -> target);
    }
  }

  @Override
  public synchronized void skipped(DomainName foundOn, long urls) {
    skipped += Math.toIntExact(urls);
  }

  @Override
  public synchronized void leftOut(DomainName domain, int links) {
    linksSuppressed += links;
  }

  @Override
  public synchronized void ended(DomainName domain, Ending ending) {
    switch (ending) {
      case Ending.Closed(var standing) -> {
        standing.reason().ifPresent(reason -> closed.merge(reason, 1, Integer::sum));
        jobsEnded++;
      }
      case Ending.JobFailed _ -> givenUp++;
      case Ending.Exhausted _, Ending.DomainOutOfBudget _, Ending.RunOutOfBudget _ -> jobsEnded++;
      case Ending.RestUntil _,
          Ending.DueLater _,
          Ending.Borrowed _,
          Ending.Paused _,
          Ending.Stopped _,
          Ending.SetAside _,
          Ending.Lost _ -> {}
    }
  }

  /** Known pages are visited again: the summary says what came of it. */
  public synchronized void refreshing() {
    isRefresh = true;
  }

  /** Whether it is a refresh in which nothing failed: perhaps only sitemaps were due. */
  synchronized boolean isQuietRefresh() {
    return isRefresh && failed.isEmpty() && closed.isEmpty();
  }

  private int visits(VisitResult result) {
    return visits.getOrDefault(result, 0);
  }

  /** {@code 3 changed, 95 unchanged, 1 missing, 1 gone, 4 new}. */
  private String visitWords() {
    List<String> words = new ArrayList<>();
    words.add(visits(VisitResult.CHANGED) + " changed");
    words.add(visits(VisitResult.UNCHANGED) + " unchanged");
    words.add(visits(VisitResult.GONE) + " gone");
    words.add(visits(VisitResult.NEW) + " new");
    if (visits(VisitResult.MISSING) > 0) {
      words.add(visits(VisitResult.MISSING) + " missing (gone if missing again in a week)");
    }
    if (visits(VisitResult.FIRST_COMPARED) > 0) {
      words.add(visits(VisitResult.FIRST_COMPARED) + " without an earlier text to compare");
    }
    if (visits(VisitResult.NO_EVIDENCE) > 0) {
      words.add(visits(VisitResult.NO_EVIDENCE) + " without evidence");
    }
    return String.join(", ", words);
  }

  private Fields visitFields() {
    Fields fields = Fields.none();
    for (VisitResult result : VisitResult.values()) {
      fields.and(result.name().toLowerCase(Locale.ROOT), visits(result));
    }
    return fields;
  }

  /** Whether every job there was failed, and none ended in another way. */
  synchronized boolean isFailed() {
    return givenUp > 0 && jobsEnded == 0;
  }

  @Override
  public synchronized void shortOfDescriptors(long limit) {
    descriptors = Optional.of(limit);
  }

  /** How many file descriptors there may be, where they were too few. */
  synchronized Optional<Long> descriptors() {
    return descriptors;
  }

  /** So many URLs of the run's domains are set aside: processes died while asking them. */
  public synchronized void setAside(long urls) {
    setAside = urls;
  }

  /** Whether no domain at all had anything to do. */
  public synchronized boolean isIdle() {
    return !busy;
  }

  /** Images that were kept. */
  synchronized int images() {
    return imagesKept;
  }

  synchronized int pages() {
    return byStatus.values().stream().mapToInt(Integer::intValue).sum();
  }

  /** Answers that were not kept; as many are allowed as pages. */
  synchronized int unkept() {
    return unkept;
  }

  synchronized int requests() {
    return requests;
  }

  synchronized int failures() {
    return failed.values().stream().mapToInt(Integer::intValue).sum();
  }

  /** How often a site asked us to slow down. */
  synchronized int refusals() {
    return refusals;
  }

  /** All of it by name. */
  synchronized Fields fields() {
    Fields statuses = Fields.none();
    byStatus.forEach((status, number) -> statuses.and(status.toString(), number));
    Fields reasons = Fields.none();
    failed.forEach((reason, number) -> reasons.and(reason.code(), number));
    Fields closings = Fields.none();
    closed.forEach((reason, number) -> closings.and(Words.of(reason), number));
    Fields types = Fields.none();
    skippedTypes.forEach(types::and);
    Fields counted = Fields.none();
    if (!skippedTypes.isEmpty()) {
      counted.and("skipped_by_type", types);
    }
    if (isRefresh) {
      counted.and("visits", visitFields());
    }
    return Fields.none()
        .and("pages", pages())
        .and("by_status", statuses)
        .and("failed", failures())
        .and("failed_by_reason", reasons)
        .and("domains_closed_by_reason", closings)
        .and("denied", denied + refused)
        .and("denied_by_wish", refused)
        .and("content_dropped_by_wish", dropped)
        .and("suppressed", suppressed)
        .and("links_suppressed", linksSuppressed)
        .and("skipped", skipped)
        .and("seeds_moved", moved)
        .and("set_aside", setAside)
        .and("refused", refusals)
        .and("links_left_out", leftOut)
        .and("images_found", imagesFound)
        .and("images_kept", imagesKept)
        .and("images_not_taken", imagesRefused)
        .and("requests", requests)
        .with(counted);
  }

  /**
   * {@code 12 pages (10 × 200, 1 × 301, 1 × 404), 2 URLs denied by robots.txt, 1 failed (timeout)}.
   */
  synchronized String spoken() {
    List<String> words = new ArrayList<>();
    if (isRefresh) {
      words.add(visitWords());
    }
    List<String> statuses =
        byStatus.entrySet().stream()
            .map(entry -> entry.getValue() + " × " + entry.getKey())
            .toList();
    words.add(
        Words.count(pages(), "page")
            + (statuses.isEmpty() ? "" : " (" + String.join(", ", statuses) + ")"));
    if (imagesKept + imagesRefused > 0) {
      words.add(
          Words.count(imagesKept, "image")
              + (imagesRefused == 0 ? "" : " and " + imagesRefused + " not taken"));
    }
    if (denied > 0) {
      words.add(Words.count(denied, "URL") + " denied by robots.txt");
    }
    if (refused > 0) {
      words.add(Words.count(refused, "URL") + " denied by a wish of its site");
    }
    if (dropped > 0) {
      words.add(Words.count(dropped, "page") + " without content by a wish of its site");
    }
    if (skipped > 0) {
      words.add(skippedWords());
    }
    movedTo.ifPresent(
        target ->
            words.add(
                "%s moved out of scope (%s%s; %s)"
                    .formatted(
                        Words.count(moved, "start URL"),
                        moved == 1 ? "to " : "such as to ",
                        target,
                        howToFollow)));
    TrapFields.spoken(suppressed, linksSuppressed)
        .ifPresent(trapped -> words.add(trapped + " left alone as traps"));
    failed.forEach((reason, number) -> words.add(number + " failed (" + reason.code() + ")"));
    closed.forEach(
        (reason, number) ->
            words.add(Words.count(number, "domain") + " closed (" + Words.of(reason) + ")"));
    if (givenUp > 0) {
      words.add(Words.count(givenUp, "domain") + " given up");
    }
    if (leftOut > 0) {
      words.add(Words.count(leftOut, "link") + " left out (too long or too many)");
    }
    if (setAside > 0) {
      words.add(Words.count(setAside, "URL") + " set aside (processes died while asking them)");
    }
    return String.join(", ", words);
  }
}
