package dev.comity.core.port.store;

import dev.comity.core.outcome.Attempt;
import dev.comity.core.outcome.Category;
import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.outcome.Fetched;
import dev.comity.core.outcome.FreshFor;
import dev.comity.core.outcome.Headers;
import dev.comity.core.outcome.Kind;
import dev.comity.core.policy.DomainState;
import dev.comity.core.policy.Fate;
import dev.comity.core.port.fetch.KeptPage;
import dev.comity.core.port.fetch.PageReading;
import dev.comity.core.port.fetch.PageText;
import dev.comity.core.port.fetch.TextFingerprint;
import dev.comity.core.schedule.JobStreak;
import dev.comity.core.schedule.PageSeen;
import dev.comity.core.schedule.RefreshDates;
import dev.comity.core.schedule.VisitResult;
import dev.comity.core.trap.TemplateStats;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.usage.UsageRefusal;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The result of one attempt at a URL, written atomically.
 *
 * @param entry the URL as it was taken
 * @param attempt the request, if one was sent
 * @param fate what becomes of the URL
 * @param state the domain's state after it
 * @param found URLs to add, of any domain, each added once however often it is found
 * @param page the content of the page, if the URL ended as one
 * @param tallies new statistics of the domain's templates
 * @param images the images of the page, or the image itself
 */
public record Settlement(
    QueuedUrl entry,
    Optional<Attempt> attempt,
    Optional<Fetched> fetched,
    Fate fate,
    DomainState state,
    List<QueuedUrl> found,
    Optional<PageContent> page,
    List<TemplateStats> tallies,
    ImageFinds images) {

  /** A settlement without images. */
  public Settlement(
      QueuedUrl entry,
      Optional<Attempt> attempt,
      Optional<Fetched> fetched,
      Fate fate,
      DomainState state,
      List<QueuedUrl> found,
      Optional<PageContent> page,
      List<TemplateStats> tallies) {
    this(entry, attempt, fetched, fate, state, found, page, tallies, ImageFinds.NONE);
  }

  /** A settlement without statistics of templates. */
  public Settlement(
      QueuedUrl entry,
      Optional<Attempt> attempt,
      Optional<Fetched> fetched,
      Fate fate,
      DomainState state,
      List<QueuedUrl> found,
      Optional<PageContent> page) {
    this(entry, attempt, fetched, fate, state, found, page, List.of());
  }

  /** A settlement without a request. */
  public static Settlement unasked(
      QueuedUrl entry, Fate fate, DomainState state, List<QueuedUrl> found) {
    return new Settlement(
        entry, Optional.empty(), Optional.empty(), fate, state, found, Optional.empty());
  }

  /** The same result with other URLs to add. */
  public Settlement finding(List<QueuedUrl> others) {
    return new Settlement(entry, attempt, fetched, fate, state, others, page, tallies, images);
  }

  /**
   * Whether it is a page that was settled: it was asked, and its answer is kept. Budgets, outputs
   * and every count of pages go by this.
   */
  public boolean isPage() {
    return entry.kind() == Kind.PAGE && attempt.isPresent() && fate.isPage();
  }

  /** Whether it is an image that was taken. The budget of images goes by this. */
  public boolean isImage() {
    return entry.kind() == Kind.IMAGE && attempt.isPresent() && images.taken().isPresent();
  }

  /** Whether a seed's redirects end here: the run starts from its domain, too. */
  public boolean endsMove() {
    return entry.isMovedStart()
        && isPage()
        && !(fetched.map(Fetched::outcome).orElse(null) instanceof FetchOutcome.Redirect);
  }

  /** Whether it is a page that may have links: a wider scope fetches it again. */
  public boolean mayLink() {
    return isPage()
        && fetched.map(Fetched::outcome).orElse(null) instanceof FetchOutcome.Success
        && page.flatMap(PageContent::contentType)
            .map(type -> type.toLowerCase(Locale.ROOT).contains("html"))
            .orElse(true);
  }

  /**
   * The lasting fate of the URL. A known page that was fetched for its links stays a page, whatever
   * the answer. So does a page that is visited again, where its server fails.
   */
  public Fate lasting() {
    return switch (fate) {
      case Fate.Retry _, Fate.Returned _ -> fate;
      case Fate.Failed _ when entry.isRevisit() -> new Fate.Done(Category.SUCCESS);
      case Fate.Done _,
          Fate.Failed _,
          Fate.Denied _,
          Fate.Suppressed _,
          Fate.Skipped _,
          Fate.Moved _ ->
          entry.kind() == Kind.LINKS ? new Fate.Done(Category.SUCCESS) : fate;
    };
  }

  /** What the answer shows of the page's content. */
  public PageSeen seen() {
    return switch (fetched.map(Fetched::outcome).orElse(null)) {
      case FetchOutcome.NotModified _ -> new PageSeen.SameAsBefore();
      case FetchOutcome.Success file ->
          new PageSeen.SeenText(
              page.map(content -> content.reads().fingerprint())
                  .orElseGet(() -> TextFingerprint.of(file.body().bytes())));
      case FetchOutcome.Redirect redirect ->
          // Where it leads is all that there is of it.
          new PageSeen.SeenText(
              PageText.of(redirect.target().map(CrawlUrl::toString).orElse("")).fingerprint());
      case FetchOutcome.ClientError(int code) when code == 404 || code == 410 ->
          new PageSeen.MissingPage();
      case null, default -> new PageSeen.NoAnswer();
    };
  }

  /**
   * What its answer says about the next look at it.
   *
   * @param at when it was asked
   */
  public RefreshDates.Visit visit(Instant at) {
    Headers headers =
        switch (fetched.map(Fetched::outcome).orElse(null)) {
          case FetchOutcome.Success file -> file.headers();
          case FetchOutcome.NotModified same -> same.headers();
          case null, default -> Headers.NONE;
        };
    return new RefreshDates.Visit(
        at,
        seen(),
        headers.first("etag"),
        headers.first("last-modified"),
        FreshFor.read(headers, at),
        entry.kind() != Kind.SITEMAP
            ? RefreshDates.Subject.PAGE
            : entry.isFeed() ? RefreshDates.Subject.FEED : RefreshDates.Subject.SITEMAP);
  }

  /** What the visit of a page came to; empty where no page was asked for. */
  public Optional<VisitResult> visited() {
    return isPageRequest() && isFinal()
        ? Optional.of(VisitResult.of(entry.visits(), seen(), attempt.orElseThrow().startedAt()))
        : Optional.empty();
  }

  /** Whether the URL is not asked again in its run. */
  private boolean isFinal() {
    return !(fate instanceof Fate.Retry || fate instanceof Fate.Returned);
  }

  /** Whether it gets a date for the next look: a page or sitemap that has its answer. */
  public boolean isDated() {
    return (entry.kind() == Kind.PAGE || entry.kind() == Kind.SITEMAP)
        && attempt.isPresent()
        && lasting() instanceof Fate.Done;
  }

  /** The wish of its site that refuses it: the URL, its body, or what the page holds. */
  public Optional<UsageRefusal> refusal() {
    return fate instanceof Fate.Denied(var wish) ? wish : page.flatMap(PageContent::refusal);
  }

  /** The target of a redirect, if it can be read. */
  public Optional<CrawlUrl> location() {
    return fetched.map(Fetched::outcome).orElse(null) instanceof FetchOutcome.Redirect redirect
        ? redirect.target()
        : Optional.empty();
  }

  /** Whether a page was fetched and the answer is not kept; a budget limits these as well. */
  public boolean isUnkept() {
    return entry.kind() == Kind.PAGE && attempt.isPresent() && fate.isUnkept();
  }

  /** Whether a page was requested, for the first time or again. */
  public boolean isPageRequest() {
    return entry.kind() == Kind.PAGE && attempt.isPresent() && fetched.isPresent();
  }

  /** Whether that request counts among the domain's errors, whatever becomes of the URL. */
  public boolean isError() {
    return isPageRequest() && fetched.get().outcome().category().isError();
  }

  /**
   * The streak of failures of its job after it. Only pages count for a job, and a page that is
   * skipped by its ending does not.
   */
  public JobStreak after(JobStreak streak) {
    return entry.kind().isRead() && attempt.isPresent()
        ? streak.after(attempt.get(), fate, state.failures())
        : streak;
  }

  /**
   * What a page holds beside its status.
   *
   * @param reads what a reader would see
   * @param leftOut how many of its links do not count because they are too long or too many
   * @param mayKeep whether title and text may be kept or shown
   * @param reading what the page says beyond its links
   * @param kept what the crawl was asked to keep of it
   * @param refusal the wish for which title, text and body are not kept
   */
  public record PageContent(
      Optional<String> title,
      PageText reads,
      Optional<String> contentType,
      int leftOut,
      boolean mayKeep,
      PageReading reading,
      Optional<KeptPage> kept,
      Optional<UsageRefusal> refusal) {

    /** A page with no links left out, of which all may be kept. */
    public PageContent(Optional<String> title, String text, Optional<String> contentType) {
      this(
          title,
          PageText.of(text),
          contentType,
          0,
          true,
          PageReading.NONE,
          Optional.empty(),
          Optional.empty());
    }

    /** What a reader would see. */
    public String text() {
      return reads.toString();
    }
  }
}
