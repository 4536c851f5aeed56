package dev.comity.keep;

import dev.comity.content.FrontMatter;
import dev.comity.core.outcome.Body;
import dev.comity.core.outcome.FetchOutcome.Success;
import dev.comity.core.outcome.Headers;
import dev.comity.core.port.fetch.KeptPage;
import dev.comity.core.port.fetch.LinkExtractor.Extraction;
import dev.comity.core.port.fetch.PageKeeper;
import dev.comity.core.url.CrawlUrl;
import dev.comity.web.html.HtmlReader;
import dev.comity.web.html.PageDetails;
import dev.comity.web.html.PageHead;
import dev.comity.web.http.DocumentType;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Makes what a crawl keeps of a page. Thread-safe. */
public final class ContentKeeper implements PageKeeper, AutoCloseable {
  /** Headers that say something about the page; others are about the connection or the server. */
  private static final List<String> HEADERS =
      List.of(
          "cache-control",
          "content-disposition",
          "content-language",
          "content-usage",
          "etag",
          "expires",
          "last-modified",
          "link",
          "tdm-reservation",
          "x-robots-tag");

  private static final int LONGEST_HEADER = 1_024;

  /** The slowest known page takes about five seconds. */
  private static final Duration LONGEST = Duration.ofSeconds(20);

  private final KeepTerms terms;
  private final Optional<Function<Body, Body>> packer;
  private final boolean documents;
  private final TreeThreads trees;

  /**
   * @param packer compresses bodies for a store; without one they are kept as they are
   * @param documents whether pages may be other documents than HTML
   */
  public ContentKeeper(KeepTerms terms, Optional<Function<Body, Body>> packer, boolean documents) {
    this.terms = terms;
    this.packer = packer;
    this.documents = documents;
    trees = new TreeThreads(Runtime.getRuntime().availableProcessors(), LONGEST);
  }

  @Override
  public KeptPage keep(CrawlUrl url, Success page, Extraction extraction, Instant at)
      throws InterruptedException {
    Optional<String> type = documents ? DocumentType.of(page) : Optional.empty();
    return type.isPresent()
        ? document(page, extraction, type.get())
        : html(url, page, extraction, at);
  }

  @Override
  public boolean usesReceived() {
    return terms.keeps(Keep.HTML) && packer.isPresent();
  }

  /** A document that is text has its text; every other one has its bytes alone. */
  private KeptPage document(Success page, Extraction extraction, String type) {
    boolean isText = DocumentType.isText(type);
    return new KeptPage(
        packed(page),
        isText ? Optional.of(charset(page)) : Optional.empty(),
        true,
        isText && terms.keeps(Keep.TEXT)
            ? Optional.of(PageDetails.documentText(page, type, HtmlReader.LONGEST_TEXT))
            : Optional.empty(),
        Optional.empty(),
        Map.of(),
        List.of(),
        Optional.empty(),
        Optional.empty(),
        extraction.canonical(),
        headers(page.headers()));
  }

  private Optional<Body> packed(Success page) {
    if (!terms.keeps(Keep.HTML)) {
      return Optional.empty();
    }
    return Optional.of(packer.isPresent() ? packer.get().apply(page.body()) : page.body());
  }

  private static String charset(Success page) {
    return PageDetails.charset(page.body(), page.headers().first("content-type"));
  }

  private KeptPage html(CrawlUrl url, Success page, Extraction extraction, Instant at)
      throws InterruptedException {
    String html = extraction.reading().html();
    PageHead head = PageDetails.head(url, page.headers(), html);
    Optional<OfTree> content =
        terms.needsTree()
            ? trees.make(() -> content(url, page, extraction, head, at))
            : Optional.empty();
    return new KeptPage(
        packed(page),
        Optional.of(charset(page)),
        false,
        terms.keeps(Keep.TEXT) ? Optional.of(PageDetails.paragraphs(url, html)) : Optional.empty(),
        content.flatMap(OfTree::markdown),
        content.map(OfTree::fields).orElse(Map.of()),
        terms.keeps(Keep.LINKS) ? PageDetails.links(url, html) : List.of(),
        head.language(),
        head.description(),
        extraction.canonical(),
        headers(page.headers()));
  }

  /** What a tree gives. */
  private record OfTree(Optional<String> markdown, Map<String, List<String>> fields) {}

  private OfTree content(
      CrawlUrl url, Success page, Extraction extraction, PageHead head, Instant at) {
    PageTree tree = PageTree.of(url, extraction.reading().html());
    // Before the Markdown, which may change the tree.
    Map<String, List<String>> fields = tree.fields(terms.fields());
    return new OfTree(
        terms.keeps(Keep.MARKDOWN)
            ? tree.markdown(
                new FrontMatter(
                    url,
                    extraction.title(),
                    at,
                    head.language(),
                    head.description(),
                    extraction.reading().wishes(),
                    sha256(page.body())))
            : Optional.empty(),
        fields);
  }

  private static Map<String, String> headers(Headers headers) {
    Map<String, String> kept = new LinkedHashMap<>();
    for (String name : HEADERS) {
      List<String> values = headers.all(name);
      if (!values.isEmpty()) {
        String all = String.join(", ", values);
        kept.put(name, all.length() <= LONGEST_HEADER ? all : all.substring(0, LONGEST_HEADER));
      }
    }
    return kept;
  }

  private static String sha256(Body body) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(body.bytes()));
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  @Override
  public void close() {
    trees.close();
  }
}
