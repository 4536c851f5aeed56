package dev.comity;

import dev.comity.core.outcome.Attempt;
import dev.comity.core.outcome.Body;
import dev.comity.core.outcome.FetchOutcome.Success;
import dev.comity.core.outcome.Fetched;
import dev.comity.core.outcome.Headers;
import dev.comity.core.port.fetch.ImageSighting;
import dev.comity.core.port.fetch.KeptPage.PageLink;
import dev.comity.core.port.store.Settlement;
import dev.comity.core.port.store.Settlement.PageContent;
import dev.comity.core.url.CrawlUrl;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A page that has its answer, be it a 404 or a redirect. What a page says is foreign text: escape
 * it before you show it. Where a page asks not to be kept, its title, text, HTML, Markdown, fields,
 * links and images are empty.
 *
 * <p>Text, Markdown, fields, links and images are made when they are first asked for, in the thread
 * that asks.
 */
public final class Page {
  private final Settlement settlement;
  private final Attempt attempt;
  private final Fetched fetched;
  private final PageSource source;

  private Page(Settlement settlement, Attempt attempt, Fetched fetched) {
    this.settlement = settlement;
    this.attempt = attempt;
    this.fetched = fetched;
    Optional<PageContent> kept = settlement.page().filter(PageContent::mayKeep);
    source =
        kept.isPresent() && fetched.outcome() instanceof Success success
            ? PageSource.of(url(), success, kept.get().reading())
            : PageSource.nothing(url());
  }

  static Optional<Page> of(Settlement settlement) {
    return settlement.isPage()
            && settlement.attempt().isPresent()
            && settlement.fetched().isPresent()
        ? Optional.of(new Page(settlement, settlement.attempt().get(), settlement.fetched().get()))
        : Optional.empty();
  }

  public CrawlUrl url() {
    return settlement.entry().url();
  }

  /** The HTTP status. */
  public int status() {
    return fetched.outcome().status().orElse(0);
  }

  /** Where it redirects to. */
  public Optional<CrawlUrl> redirect() {
    return settlement.location();
  }

  /** Links followed from where the crawl started. */
  public int depth() {
    return settlement.entry().depth();
  }

  /** The page it was found on. */
  public Optional<CrawlUrl> referrer() {
    return settlement.entry().referrer();
  }

  /** When the first byte of the request left. */
  public Instant startedAt() {
    return attempt.startedAt();
  }

  /** From asking to the end. */
  public Duration took() {
    return fetched.total();
  }

  public Optional<String> contentType() {
    return settlement.page().flatMap(PageContent::contentType);
  }

  /** The response headers; none for anything but a success. */
  public Headers headers() {
    return fetched.outcome() instanceof Success page ? page.headers() : Headers.NONE;
  }

  /**
   * The bytes without their content coding; none for anything but a success, and none where the
   * site refuses them for the crawl's purpose.
   */
  public Body body() {
    return fetched.outcome() instanceof Success page && settlement.refusal().isEmpty()
        ? page.body()
        : Body.EMPTY;
  }

  /** The charset of the body; empty where it is no text. */
  public Optional<String> charset() {
    return source.charset();
  }

  public Optional<String> title() {
    return settlement.page().filter(PageContent::mayKeep).flatMap(PageContent::title);
  }

  /** What there is to read on it, with an empty line between paragraphs. */
  public String text() {
    return source.text();
  }

  /** The page as characters; empty for other documents than HTML. */
  public String html() {
    return source.html();
  }

  /** The main content as Markdown, without front matter. */
  public String markdown() {
    return source.markdown();
  }

  /**
   * The text of what a CSS selector finds, or with {@code CSS@attribute} the attribute.
   *
   * @throws IllegalArgumentException if it is no selector
   */
  public List<String> select(String css) {
    return source.select(css);
  }

  /** Links as they stand on the page, followed or not. */
  public List<PageLink> links() {
    return source.links();
  }

  /** Images with what the page says about them. */
  public List<ImageSighting> images() {
    return source.images();
  }

  /** The language that the page names, such as {@code en-GB}. */
  public Optional<String> language() {
    return source.head().language();
  }

  /** What the page says about itself. */
  public Optional<String> description() {
    return source.head().description();
  }

  /** The URL that the page calls its own. */
  public Optional<CrawlUrl> canonical() {
    return source.head().canonical();
  }

  /** Without what the site wrote: that may move a terminal. */
  @Override
  public String toString() {
    return status() + " " + url() + " (" + body().length() + " bytes)";
  }
}
