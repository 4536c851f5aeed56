package dev.comity.content;

import java.util.HashSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import net.dankito.readability4j.Readability4J;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.jsoup.select.Elements;

/**
 * The main content of a page. Readability's article counts if it is long enough, has a good share
 * of the text, and loses no heading. Else it is the element that the page itself marks as its
 * content, or the body, without navigation.
 */
final class MainContent {
  /** In characters: Readability's own measure of an article is 500 and finds short ones too. */
  private static final int SHORTEST_ARTICLE = 250;

  /** Of the text of the page; less is a teaser or a comment. */
  private static final double LEAST_SHARE = 0.25;

  /** Readability looks at each element many times; a larger page goes without it. */
  private static final int MOST_ELEMENTS = 20_000;

  /**
   * The depths of all elements together. Readability climbs from each to the top many times: tables
   * in tables, 30 KB of them, took it nine seconds.
   */
  private static final long MOST_STEPS = 400_000;

  private static final String MARKED = "main, [role=main], article";

  private static final String ASIDE =
      "nav, header, footer, aside, form, dialog, script, style, template, noscript, iframe,"
          + " [role=navigation], [role=banner], [role=contentinfo], [role=complementary],"
          + " [role=search], [hidden], [aria-hidden=true]";

  /** Names that sites give to what stands beside the content. */
  private static final Set<String> BESIDE =
      Set.of(
          "banner",
          "breadcrumb",
          "breadcrumbs",
          "cookie",
          "footer",
          "menu",
          "nav",
          "navbar",
          "navigation",
          "related",
          "share",
          "sidebar",
          "social",
          "toc",
          "topnav",
          "widget");

  private MainContent() {}

  /** An element of its own: the page is left as it is. */
  static Element of(Document document) {
    Element marked = marked(document.clone());
    Optional<Element> article = article(document);
    Element best =
        article.filter(found -> headings(found).containsAll(headings(marked))).orElse(marked);
    return withTitle(best, document);
  }

  /** The one element that the page marks, or the body. */
  private static Element marked(Document page) {
    Elements marked = page.select(MARKED);
    Element root = page.body();
    for (Element element : marked) {
      boolean isMain = !element.normalName().equals("article") || marked.size() == 1;
      if (isMain && length(element) >= SHORTEST_ARTICLE) {
        root = element;
        break;
      }
    }
    clear(root);
    if (root.normalName().equals("body")) {
      clearByName(root);
    }
    return root;
  }

  /** Where the page marks no content, names of classes tell; most of the text is never left out. */
  private static void clearByName(Element body) {
    int most = length(body) / 2;
    for (Element element : body.select("div[class], div[id], ul[class], ul[id], section[class]")) {
      boolean named =
          BESIDE.contains(element.id().toLowerCase(Locale.ROOT))
              || element.classNames().stream()
                  .anyMatch(name -> BESIDE.contains(name.toLowerCase(Locale.ROOT)));
      if (named && length(element) <= most) {
        element.remove();
      }
    }
  }

  private static void clear(Element root) {
    for (Element aside : root.select(ASIDE)) {
      if (!aside.equals(root) && !isTitle(aside)) {
        aside.remove();
      }
    }
  }

  /** The header of an article has its title. */
  private static boolean isTitle(Element element) {
    return element.normalName().equals("header")
        && element.selectFirst("h1, h2, h3") != null
        && element.selectFirst("nav, [role=navigation]") == null
        && element.closest("main, [role=main], article") != null;
  }

  private static Optional<Element> article(Document document) {
    if (document.getAllElements().size() > MOST_ELEMENTS || steps(document) > MOST_STEPS) {
      return Optional.empty();
    }
    try {
      Document page = withLanguages(document.clone());
      clear(page);
      Element found = new Readability4J(document.baseUri(), page).parse().getArticleContent();
      return Optional.ofNullable(found)
          .filter(article -> length(article) >= SHORTEST_ARTICLE)
          .filter(article -> length(article) >= LEAST_SHARE * length(document.body()));
    } catch (RuntimeException | StackOverflowError _) {
      // A page that the library cannot read goes without it.
      return Optional.empty();
    }
  }

  private static long steps(Document document) {
    AtomicLong steps = new AtomicLong();
    document.traverse((node, depth) -> steps.addAndGet(node instanceof Element ? depth : 0));
    return steps.get();
  }

  /** Readability drops classes, and those of code say which language it is in. */
  private static Document withLanguages(Document document) {
    for (Element code : document.select("pre, code")) {
      CodeBlocks.language(code).ifPresent(language -> code.attr("data-lang", language));
    }
    return document;
  }

  private static int length(Element element) {
    return element.text().length();
  }

  private static Set<String> headings(Element element) {
    Set<String> words = new HashSet<>();
    element.select("h2, h3, h4, h5, h6").forEach(heading -> words.add(heading.text()));
    return words;
  }

  /** Content without a heading of the first rank takes the only one that the page has. */
  private static Element withTitle(Element content, Document document) {
    Elements titles = document.select("h1");
    if (content.selectFirst("h1") == null && titles.size() == 1) {
      content.prependChild(titles.getFirst().clone());
    }
    return content;
  }
}
