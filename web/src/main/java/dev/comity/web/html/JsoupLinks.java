package dev.comity.web.html;

import dev.comity.core.outcome.FetchOutcome.Success;
import dev.comity.core.port.LinkExtractor;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.UrlRefusal;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.jsoup.parser.Parser;
import org.jspecify.annotations.Nullable;

/** Reads pages with jsoup. */
public final class JsoupLinks implements LinkExtractor {
  /** No honest page has more; what is beyond does not count. */
  public static final int MOST_LINKS = 10_000;

  /** In characters. */
  public static final int LONGEST_TITLE = 1_000;

  private static final Extraction NOTHING = new Extraction(Optional.empty(), List.of(), "");

  private final String robotsToken;
  private final HtmlParser parser;

  /** Turns bytes into a document. */
  interface HtmlParser {
    Document parse(InputStream bytes, @Nullable String charset, String url) throws IOException;
  }

  /** An extractor that also heeds what a page says to this robots token alone. */
  public JsoupLinks(String robotsToken) {
    this(
        robotsToken,
        (bytes, charset, url) -> Jsoup.parse(bytes, charset, url, Parser.htmlParser()));
  }

  JsoupLinks(String robotsToken, HtmlParser parser) {
    this.robotsToken = robotsToken;
    this.parser = parser;
  }

  @Override
  public Extraction extract(CrawlUrl url, Success page) {
    Optional<String> charset = page.headers().first("Content-Type").flatMap(HeaderCharset::in);
    try {
      InputStream bytes = new ByteArrayInputStream(page.body().bytes());
      return extraction(url, parser.parse(bytes, charset.orElse(null), url.toString()));
    } catch (IOException | RuntimeException | StackOverflowError tooStrange) {
      // A page is written by anyone. One that no parser can stand costs itself, nothing else.
      return NOTHING;
    }
  }

  private Extraction extraction(CrawlUrl url, Document document) {
    document.select("template").remove();
    List<CrawlUrl> links = mayFollow(document) ? links(base(url, document), document) : List.of();
    return new Extraction(title(document), links, document.body().text());
  }

  private static Optional<String> title(Document document) {
    String title = document.title();
    return title.isEmpty() ? Optional.empty() : Optional.of(cut(title));
  }

  private static String cut(String title) {
    if (title.length() <= LONGEST_TITLE) {
      return title;
    }
    boolean insidePair = Character.isHighSurrogate(title.charAt(LONGEST_TITLE - 1));
    return title.substring(0, insidePair ? LONGEST_TITLE - 1 : LONGEST_TITLE);
  }

  private boolean mayFollow(Document document) {
    return document.select("meta[name][content]").stream()
        .filter(meta -> speaksToUs(meta.attr("name").strip()))
        .flatMap(meta -> Arrays.stream(meta.attr("content").split("[\\s,]+")))
        .noneMatch(word -> word.equalsIgnoreCase("nofollow") || word.equalsIgnoreCase("none"));
  }

  private boolean speaksToUs(String name) {
    return name.equalsIgnoreCase("robots") || name.equalsIgnoreCase(robotsToken);
  }

  /** Only the first base counts, and only if it leads to the web. */
  private static CrawlUrl base(CrawlUrl url, Document document) {
    Element base = document.selectFirst("base[href]");
    return base == null ? url : resolved(url, base.attr("href")).orElse(url);
  }

  private static List<CrawlUrl> links(CrawlUrl base, Document document) {
    Set<CrawlUrl> links = new LinkedHashSet<>();
    for (Element anchor : document.select("a[href], area[href]")) {
      if (links.size() == MOST_LINKS) {
        break;
      }
      if (!isNofollow(anchor)) {
        resolved(base, anchor.attr("href")).ifPresent(links::add);
      }
    }
    return List.copyOf(links);
  }

  private static boolean isNofollow(Element anchor) {
    return Arrays.asList(anchor.attr("rel").toLowerCase(Locale.ROOT).split("\\s+"))
        .contains("nofollow");
  }

  /** Where a reference leads; one into the page itself leads nowhere. */
  private static Optional<CrawlUrl> resolved(CrawlUrl base, String reference) {
    String stripped = reference.strip();
    if (stripped.isEmpty() || stripped.startsWith("#")) {
      return Optional.empty();
    }
    return switch (base.resolve(stripped)) {
      case CrawlUrl link -> Optional.of(link);
      case UrlRefusal _ -> Optional.empty();
    };
  }
}
