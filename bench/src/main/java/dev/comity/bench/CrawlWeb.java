package dev.comity.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import org.jspecify.annotations.NullMarked;

/**
 * A web that is made up, the same for the same seed. The pages of a host are a tree, so that all of
 * them are found from the first; the other links lead anywhere, some to other hosts, some in a
 * spelling that no crawler may take for another page.
 *
 * @param scheme http or https
 * @param port the one port of all hosts
 */
@NullMarked
record CrawlWeb(int hosts, int pages, long seed, String scheme, int port) {
  static final String ROBOTS = "/robots.txt";
  static final String ROBOTS_RULES = "User-agent: *\nDisallow: /private/\n";

  private static final int CHILDREN = 6;
  private static final int LINKS = 20;
  private static final int LEAST_SIZE = 8_000;
  private static final int MOST_SIZE = 22_000;
  private static final List<String> SECTIONS =
      List.of("news", "politics/europe", "sport", "culture/film", "docs/reference", "blog/2026");
  private static final List<String> SYLLABLES =
      List.of("ba", "con", "de", "fer", "ga", "lim", "mo", "nu", "per", "qui", "ra", "sto", "ver");

  static String name(int host) {
    return "h" + host + ".example";
  }

  /** Each host has an address, as if it were a machine. */
  static String address(int host) {
    return "127.1.%d.%d".formatted(host / 250, 1 + host % 250);
  }

  /** As a request names the host, and as the log does. */
  String authority(int host) {
    return name(host) + ":" + port;
  }

  /** What the URLs of a host begin with. */
  String root(int host) {
    return scheme + "://" + authority(host);
  }

  static String path(int page) {
    return page == 0
        ? "/"
        : "/" + SECTIONS.get(page % SECTIONS.size()) + "/article-" + page + ".html";
  }

  /** Each fiftieth page names another one by where it was before it moved. */
  static boolean namesOld(int page) {
    return page % 50 == 1;
  }

  static String oldPath(int page) {
    return "/old/" + page;
  }

  /** Where to that page has moved. */
  String movedTo(int page) {
    return path((page * 7 + 3) % pages);
  }

  static boolean isDisallowed(String path) {
    return path.startsWith("/private/");
  }

  /** The links of a page as they are written there. */
  List<String> links(int host, int page) {
    SplittableRandom dice = dice(host, page);
    List<String> links = new ArrayList<>();
    for (int child = page * CHILDREN + 1; child <= (page + 1) * CHILDREN; child++) {
      if (child < pages) {
        links.add(path(child));
      }
    }
    if (page % 5 == 2) {
      links.add("/private/" + page);
    }
    if (namesOld(page)) {
      links.add(oldPath(page));
    }
    while (links.size() < LINKS) {
      links.add(anywhere(host, path(dice.nextInt(pages)), dice));
    }
    return links;
  }

  /** With what the tree needs, some 15 % of all links lead to other hosts. */
  private String anywhere(int host, String path, SplittableRandom dice) {
    int chance = dice.nextInt(100);
    if (chance < 17) {
      return root(dice.nextInt(hosts)) + path;
    }
    return chance < 27 ? otherwise(host, path, dice) : path;
  }

  /** The same URL in another spelling. */
  private String otherwise(int host, String path, SplittableRandom dice) {
    return switch (dice.nextInt(5)) {
      case 0 -> "/." + path;
      case 1 -> path + "#part-" + dice.nextInt(9);
      case 2 -> path.replace("article", "%61rticle");
      case 3 -> "/elsewhere/.." + path;
      default -> root(host).toUpperCase(Locale.ROOT) + path;
    };
  }

  String html(int host, int page) {
    SplittableRandom dice = dice(host, page).split();
    int size = dice.nextInt(LEAST_SIZE, MOST_SIZE);
    StringBuilder html = new StringBuilder(size + 1_000);
    html.append("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>");
    words(html, 6, dice);
    html.append("</title><style>body { margin: 2em } .lead { font-weight: bold }</style></head>\n")
        .append("<body><header class=\"top\"><h1>");
    words(html, 5, dice);
    html.append("</h1></header>\n<main>\n");
    int each = size / LINKS;
    int section = 0;
    for (String link : links(host, page)) {
      section++;
      html.append("<section id=\"part-").append(section).append("\">\n<p class=\"lead\">");
      words(html, 4, dice);
      html.append("<a class=\"more\" href=\"").append(link).append("\">");
      words(html, 3, dice);
      html.append("</a></p>\n");
      while (html.length() < section * each) {
        html.append("<p>");
        words(html, 12, dice);
        html.append("&amp; <em>");
        words(html, 2, dice);
        html.append("</em></p>\n");
      }
      html.append("</section>\n");
    }
    return html.append("</main></body></html>\n").toString();
  }

  private static void words(StringBuilder to, int count, SplittableRandom dice) {
    for (int word = 0; word < count; word++) {
      for (int syllable = dice.nextInt(1, 4); syllable >= 0; syllable--) {
        to.append(SYLLABLES.get(dice.nextInt(SYLLABLES.size())));
      }
      to.append(' ');
    }
  }

  private SplittableRandom dice(int host, int page) {
    return new SplittableRandom((seed * 1_000_003 + host) * 1_000_003 + page);
  }
}
