package dev.comity.web.html;

import dev.comity.core.outcome.Headers;
import dev.comity.core.port.fetch.ImageRef;
import dev.comity.core.port.fetch.ImageRef.Source;
import dev.comity.core.port.fetch.LinkExtractor.Extraction;
import dev.comity.core.port.fetch.PageReading;
import dev.comity.core.port.fetch.PageText;
import dev.comity.core.port.fetch.TextFingerprint;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.usage.ResponseWishes;
import dev.comity.core.usage.Wishes;
import dev.comity.web.html.HtmlScanner.Piece;
import dev.comity.web.html.LinkHeader.LinkValue;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * One walk over a page, from its first tag to its last: for its text, or for all else there is for
 * us.
 */
final class PageWalk {
  /** No honest page has more; what is beyond does not count. */
  static final int MOST_LINKS = 10_000;

  static final int MOST_IMAGES = 1_000;

  /** In characters. */
  static final int LONGEST_TITLE = 1_000;

  private static final int LONGEST_ALT = 500;

  private final CrawlUrl url;
  private final ResponseWishes wishes;
  private final TextDraft text;
  private final boolean forText;
  private final PageLinks<Boolean> ofHeader = new PageLinks<>(MOST_LINKS, this::own);
  private final PageLinks<Boolean> links = new PageLinks<>(MOST_LINKS, this::counted);
  private final PageLinks<ImageNote> images = new PageLinks<>(MOST_IMAGES, this::counted);
  private final FeedLinks feeds = new FeedLinks();
  private Optional<TextDraft> title = Optional.empty();
  private Optional<String> base = Optional.empty();
  private Optional<String> canonical = Optional.empty();
  private Optional<String> canonicalOfHeader = Optional.empty();
  private boolean inParagraphs;
  private int templates;
  private boolean inTitle;
  private boolean inFirstTitle;

  /** Depth of the style or script element in SVG or MathML that is being skipped, or 0. */
  private int muteDepth;

  private record ImageNote(String alt, Source source) {}

  /**
   * @param textLimit how many characters of text are kept; where any are, nothing else is gathered
   */
  PageWalk(CrawlUrl url, ResponseWishes wishes, int textLimit) {
    this.url = url;
    this.wishes = wishes;
    this.text = TextDraft.withFingerprint(textLimit);
    this.forText = textLimit > 0;
  }

  /** The text of a page, with an empty line between paragraphs. */
  static String paragraphs(CrawlUrl url, String html, int textLimit) {
    PageWalk walk = new PageWalk(url, new ResponseWishes("", Instant.EPOCH), textLimit);
    walk.inParagraphs = true;
    walk.page(html);
    return walk.text();
  }

  private void part(Tag tag, boolean starts) {
    if (!tag.partsWords()) {
      return;
    }
    text.part();
    if (inParagraphs) {
      switch (tag) {
        case TD, TH, COL, OPTION, TEXTAREA, SCRIPT, STYLE -> {}
        case BR, LI, TR, DT, DD -> text.line();
        case PRE -> {
          text.keepLines(starts);
          text.paragraph();
        }
        default -> text.paragraph();
      }
    }
  }

  /** What references count from, as far as the page is read. */
  private Base counted() {
    return Base.of(url, base);
  }

  private Base own() {
    return new Base(Optional.of(url));
  }

  /** Takes what the header lines say; it counts from the page, whatever its base. */
  void headers(Headers headers) {
    wishes.header(headers::all);
    for (String line : headers.all("link")) {
      for (LinkValue link : LinkHeader.links(Headers.escaped(line))) {
        if (RelWords.has(link.rel(), "canonical") && canonicalOfHeader.isEmpty()) {
          canonicalOfHeader = Optional.of(link.reference());
        }
        if (RelWords.isLeading(link.rel())) {
          ofHeader.add(link.reference(), true);
        }
      }
    }
    headers
        .first("refresh")
        .flatMap(line -> MetaRefresh.target(Headers.escaped(line)))
        .ifPresent(target -> ofHeader.add(target, true));
  }

  void page(String html) {
    HtmlScanner scanner = new HtmlScanner(html);
    while (true) {
      switch (scanner.next()) {
        case Piece.TEXT -> text(scanner);
        case Piece.START -> start(scanner);
        case Piece.END -> end(scanner);
        case Piece.NOTHING -> {
          return;
        }
      }
    }
  }

  private void text(HtmlScanner scanner) {
    if (templates > 0 || muteDepth > 0) {
      return;
    }
    if (inTitle) {
      title.filter(_ -> inFirstTitle).ifPresent(scanner::appendTo);
    } else {
      scanner.appendTo(text);
    }
  }

  private void start(HtmlScanner scanner) {
    Tag tag = scanner.tag();
    inTitle = false;
    unmute(scanner);
    part(tag, true);
    if (tag == Tag.TEMPLATE && !scanner.isForeign()) {
      templates++;
    }
    if (templates > 0) {
      return;
    }
    switch (tag) {
      case TITLE -> title(scanner);
      case SCRIPT, STYLE -> mute(scanner);
      default -> {
        if (!forText && scanner.isForeign()) {
          foreign(tag, scanner);
        } else if (!forText) {
          gather(tag, scanner);
        }
      }
    }
  }

  private void gather(Tag tag, HtmlScanner scanner) {
    switch (tag) {
      case A, AREA -> anchor(scanner);
      case LINK -> link(scanner);
      case META -> meta(scanner);
      case BASE -> base = base.or(() -> scanner.attribute("href"));
      case FRAME, IFRAME -> reference(scanner, "src");
      case IMG -> image(scanner);
      case SOURCE -> candidates(scanner, "", Source.PICTURE);
      default -> {}
    }
  }

  /** Of SVG's elements only the link is one to us. */
  private void foreign(Tag tag, HtmlScanner scanner) {
    if (tag == Tag.A && !isNoFollow(scanner)) {
      boolean isOld = scanner.attribute("href").isEmpty() && !scanner.hasOversized("href");
      reference(scanner, isOld ? "xlink:href" : "href");
    }
  }

  private void end(HtmlScanner scanner) {
    Tag tag = scanner.tag();
    inTitle = false;
    unmute(scanner);
    part(tag, false);
    if (tag == Tag.TEMPLATE && templates > 0 && !scanner.isForeign()) {
      templates--;
    }
  }

  /** The first title is the page's; those of pictures are none. A second one is no text either. */
  private void title(HtmlScanner scanner) {
    if (!scanner.isForeign()) {
      inTitle = true;
      inFirstTitle = title.isEmpty();
      title = title.or(() -> Optional.of(TextDraft.withFingerprint(LONGEST_TITLE)));
    }
  }

  /** In foreign parts these are elements like any other, but still not text for a reader. */
  private void mute(HtmlScanner scanner) {
    if (scanner.isForeign() && !scanner.isSelfClosing() && muteDepth == 0) {
      muteDepth = scanner.foreignDepth();
    }
  }

  private void unmute(HtmlScanner scanner) {
    if (scanner.foreignDepth() < muteDepth) {
      muteDepth = 0;
    }
  }

  private void anchor(HtmlScanner scanner) {
    if (!isNoFollow(scanner)) {
      reference(scanner, "href");
    }
  }

  private static boolean isNoFollow(HtmlScanner scanner) {
    Optional<String> rel = scanner.attribute("rel");
    return rel.isPresent() && RelWords.has(rel.get(), "nofollow");
  }

  private void reference(HtmlScanner scanner, String attribute) {
    Optional<String> reference = scanner.attribute(attribute);
    if (reference.isPresent()) {
      links.add(reference.get(), true);
    } else if (scanner.hasOversized(attribute)) {
      links.leaveOut();
    }
  }

  private void link(HtmlScanner scanner) {
    String rel = scanner.attribute("rel").orElse("");
    if (RelWords.has(rel, "canonical")) {
      canonical = canonical.or(() -> scanner.attribute("href"));
    }
    if (RelWords.isLeading(rel)) {
      reference(scanner, "href");
    }
    feeds.link(rel, scanner);
  }

  private void meta(HtmlScanner scanner) {
    Optional<String> content = scanner.attribute("content");
    if (content.isEmpty()) {
      return;
    }
    scanner.attribute("name").ifPresent(name -> wishes.meta(name, content.get()));
    if (scanner.attribute("http-equiv").filter("refresh"::equalsIgnoreCase).isPresent()) {
      MetaRefresh.target(content.get()).ifPresent(target -> links.add(target, true));
    }
    scanner
        .attribute("property")
        .map(property -> property.toLowerCase(Locale.ROOT))
        .filter(property -> property.equals("og:image") || property.startsWith("og:image:url"))
        .ifPresent(_ -> images.add(content.get(), new ImageNote("", Source.OPEN_GRAPH)));
  }

  private void image(HtmlScanner scanner) {
    String alt = scanner.attribute("alt").map(PageWalk::oneLine).orElse("");
    scanner
        .attribute("src")
        .ifPresent(reference -> images.add(reference, new ImageNote(alt, Source.IMG)));
    candidates(scanner, alt, Source.SRCSET);
  }

  private void candidates(HtmlScanner scanner, String alt, Source source) {
    scanner
        .attribute("srcset")
        .ifPresent(
            srcset ->
                Srcset.references(srcset, MOST_IMAGES)
                    .forEach(reference -> images.add(reference, new ImageNote(alt, source))));
  }

  private static String oneLine(String alt) {
    TextDraft line = new TextDraft(LONGEST_ALT);
    line.append(alt, 0, alt.length(), false);
    return line.toString();
  }

  /** What the header and the page say about the use of the page. */
  Wishes wishes() {
    return wishes.wishes();
  }

  /** The feeds that the page names, unless it asks not to be followed. */
  List<CrawlUrl> feeds() {
    return wishes.mayFollow() ? feeds.resolved(counted()) : List.of();
  }

  /** What a reader would see, as much of it as is kept. */
  String text() {
    return text.toString();
  }

  /**
   * @param reader makes the whole text
   * @param reading what the page says beyond its links
   */
  Extraction extraction(Supplier<String> reader, PageReading reading) {
    Base counted = counted();
    Base own = own();
    Optional<CrawlUrl> place =
        resolved(own, canonicalOfHeader).or(() -> resolved(counted, canonical));
    List<ImageRef> shown = images(counted);
    List<CrawlUrl> leading = wishes.mayFollow() ? links(own, counted) : List.of();
    return new Extraction(
        title.map(TextDraft::toString).filter(line -> !line.isEmpty()),
        leading,
        PageText.lazily(!text.hasAny(), fingerprint(), reader),
        place,
        shown,
        ofHeader.leftOut() + links.leftOut() + images.leftOut(),
        wishes.mayKeep(),
        reading);
  }

  /** Of the title and the text. */
  private long fingerprint() {
    return TextFingerprint.ended(
        text.fingerprint() + 31 * title.map(TextDraft::fingerprint).orElse(0L));
  }

  /**
   * What was read of a document: what its header says.
   *
   * @param reads its text
   */
  Extraction document(PageText reads, PageReading reading) {
    return new Extraction(
        Optional.empty(),
        wishes.mayFollow() ? links(own(), own()) : List.of(),
        reads,
        resolved(own(), canonicalOfHeader),
        List.of(),
        ofHeader.leftOut(),
        wishes.mayKeep(),
        reading);
  }

  /** The page itself is no news. */
  private List<CrawlUrl> links(Base own, Base counted) {
    Map<CrawlUrl, Boolean> all = ofHeader.resolved(own);
    Map<CrawlUrl, Boolean> ofPage = links.resolved(counted);
    if (all.isEmpty()) {
      all = ofPage;
    } else {
      all.putAll(ofPage);
    }
    all.remove(url);
    List<CrawlUrl> found = List.copyOf(all.keySet());
    return found.size() <= MOST_LINKS ? found : List.copyOf(found.subList(0, MOST_LINKS));
  }

  private List<ImageRef> images(Base counted) {
    List<ImageRef> found = new ArrayList<>();
    for (Map.Entry<CrawlUrl, ImageNote> image : images.resolved(counted).entrySet()) {
      found.add(new ImageRef(image.getKey(), image.getValue().alt(), image.getValue().source()));
    }
    return List.copyOf(found);
  }

  private static Optional<CrawlUrl> resolved(Base base, Optional<String> reference) {
    return reference
        .map(base::resolve)
        .filter(CrawlUrl.class::isInstance)
        .map(CrawlUrl.class::cast);
  }
}
