package dev.comity.web.html;

import dev.comity.core.outcome.FetchOutcome.Success;
import dev.comity.core.outcome.Headers;
import dev.comity.core.port.fetch.LinkExtractor;
import dev.comity.core.port.fetch.PageReading;
import dev.comity.core.port.fetch.PageText;
import dev.comity.core.port.fetch.TextFingerprint;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.usage.ResponseWishes;
import dev.comity.core.usage.Wishes;
import dev.comity.web.http.DocumentType;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/** Reads pages in one pass, in time and memory that their size bounds, whatever they nest. */
public final class HtmlReader implements LinkExtractor {
  /** In characters: what a person reads in a day. */
  public static final int LONGEST_TEXT = 1_000_000;

  /** In characters: enough to tell one page from another when the text is not kept. */
  public static final int BEGINNING = 100_000;

  private final String robotsToken;
  private final InstantSource clock;
  private final int textLimit;
  private final boolean documents;

  /**
   * @param robotsToken the name we go by: a page may say things to it alone
   * @param clock pages may say when they expire
   * @param textLimit how many characters of a page's text are wanted
   */
  public HtmlReader(String robotsToken, InstantSource clock, int textLimit) {
    this(robotsToken, clock, textLimit, false);
  }

  /**
   * @param documents whether pages may be other documents than HTML
   */
  public HtmlReader(String robotsToken, InstantSource clock, int textLimit, boolean documents) {
    this.documents = documents;
    this.robotsToken = robotsToken;
    this.clock = clock;
    this.textLimit = textLimit;
  }

  @Override
  public Wishes wishes(Headers headers) {
    // Few answers have any of these lines, and every page is asked for them.
    return headers.hasAny(ResponseWishes.LINES)
        ? ResponseWishes.ofHeader(headers::all, robotsToken, clock.instant())
        : Wishes.NONE;
  }

  @Override
  public Extraction extract(CrawlUrl url, Success page) {
    Optional<String> type = documents ? DocumentType.of(page) : Optional.empty();
    return type.isPresent() ? document(url, page, type.get()) : html(url, page);
  }

  /** A document has neither title nor links; its header may say what a page's may. */
  private Extraction document(CrawlUrl url, Success page, String type) {
    PageWalk walk = new PageWalk(url, new ResponseWishes(robotsToken, clock.instant()), 0);
    walk.headers(page.headers());
    PageText text =
        PageText.lazily(
            false,
            TextFingerprint.of(page.body().bytes()),
            () -> PageDetails.documentText(page, type, textLimit));
    return walk.document(text, new PageReading("", walk.wishes(), List.of(), List::of));
  }

  private Extraction html(CrawlUrl url, Success page) {
    Instant now = clock.instant();
    String html = PageCharset.decoded(page.body().bytes(), page.headers().first("content-type"));
    PageWalk walk = new PageWalk(url, new ResponseWishes(robotsToken, now), 0);
    walk.headers(page.headers());
    walk.page(html);
    PageReading reading =
        new PageReading(html, walk.wishes(), walk.feeds(), () -> PageImages.read(url, html));
    return walk.extraction(() -> text(url, html, now), reading);
  }

  /** In a walk of its own: making the text costs more than all the rest, and most is never read. */
  private String text(CrawlUrl url, String html, Instant now) {
    PageWalk walk = new PageWalk(url, new ResponseWishes(robotsToken, now), textLimit);
    walk.page(html);
    return walk.text();
  }
}
