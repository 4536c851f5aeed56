package dev.comity.web.sitemap;

import dev.comity.web.sitemap.XmlScanner.TagForm;
import dev.comity.web.sitemap.XmlScanner.XmlTag;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A {@code urlset}, a {@code sitemapindex}, or a feed of RSS or Atom. What counts is the entry a
 * URL stands in, not how deep: sites nest and forget to close as they like.
 */
final class XmlSitemap {
  private static final Set<String> ROOTS = Set.of("urlset", "sitemapindex", "rss", "rdf", "feed");
  private static final Set<String> ENTRIES = Set.of("url", "sitemap", "item", "entry");
  private static final Set<String> EXTENSIONS = Set.of("image", "video", "news", "source");
  private static final Pattern HREF =
      Pattern.compile("(?s)\\shref\\s*+=\\s*+(?:\"([^\"]*+)\"|'([^']*+)')");
  private static final Pattern OTHER_RELATION =
      Pattern.compile("(?s)\\srel\\s*+=\\s*+[\"'](?!alternate[\"'])");

  /** The protocol allows a page a thousand; an entry may pretend to have any number. */
  private static final int MOST_IMAGES = 1000;

  private final SitemapFiles.Counting found;
  private static final Pattern NO_LINK =
      Pattern.compile("(?is)\\sisPermaLink\\s*+=\\s*+[\"']\\s*+false");

  private static final Pattern WHOLE_URL = Pattern.compile("(?is)\\s*+https?://.*+");

  private String entry = "";
  private String extension = "";

  /** What an item of RSS is to be known by; its address where it has no link. */
  private String guid = "";

  private boolean isGuidALink;
  private boolean hasLink;

  /** The page of the entry, which is handed on with its date at the end of the entry. */
  private @Nullable String page;

  /** Images of the entry, which come after its page. */
  private final List<String> images = new ArrayList<>();

  private String date = "";

  XmlSitemap(SitemapFiles.Counting found) {
    this.found = found;
  }

  /** Whether its first element is that of a sitemap. */
  static boolean isOne(SitemapText text) {
    XmlTag first = new XmlScanner(text).next();
    return first != null && first.form() != TagForm.CLOSES && ROOTS.contains(first.name());
  }

  /** Answers whether all of it was read, up to the end of its first element. */
  boolean read(SitemapText text) {
    XmlScanner scanner = new XmlScanner(text);
    String root = "";
    for (XmlTag tag = scanner.next(); tag != null; tag = scanner.next()) {
      if (found.isOver()) {
        return false;
      }
      root = root.isEmpty() ? tag.name() : root;
      boolean closes = tag.form() == TagForm.CLOSES;
      if (tag.name().equals(root) && (closes || tag.form() == TagForm.STANDS_ALONE)) {
        endItem();
        return true;
      }
      if (closes) {
        closed(tag);
      } else {
        opened(tag);
      }
    }
    endItem();
    return false;
  }

  private void opened(XmlTag tag) {
    boolean stays = tag.form() == TagForm.OPENS;
    if (stays && ENTRIES.contains(tag.name())) {
      endItem();
      entry = tag.name();
      extension = "";
    } else if (stays && tag.name().equals("guid")) {
      isGuidALink = !NO_LINK.matcher(tag.attributes()).find();
    } else if (stays && EXTENSIONS.contains(tag.name())) {
      extension = tag.name();
    } else if (entry.equals("entry") && extension.isEmpty() && tag.name().equals("link")) {
      atomLink(tag.attributes());
    }
  }

  private void closed(XmlTag tag) {
    if (tag.name().equals(entry)) {
      endItem();
      entry = "";
    } else if (tag.name().equals(extension)) {
      extension = "";
    } else if (extension.equals("image") && tag.name().equals("loc")) {
      image(tag.before());
    } else if (extension.isEmpty()) {
      switch (entry + " " + tag.name()) {
        case "url loc" -> page(tag.before());
        case "item link" -> itemLink(tag.before());
        case "item guid" -> guid = isGuidALink ? tag.before() : "";
        case "sitemap loc" -> found.sitemap(tag.before());
        case "url lastmod", "item pubdate", "item date", "entry updated" -> date = tag.before();
        case "entry published" -> date = date.isEmpty() ? tag.before() : date;
        default -> {
          // How much it matters is for others to know.
        }
      }
    }
  }

  private void itemLink(String link) {
    if (!link.isBlank()) {
      hasLink = true;
      page(link);
    }
  }

  private void image(String text) {
    if (images.size() == MOST_IMAGES) {
      handOn();
    }
    images.add(text);
  }

  /** An entry should have one page; where it has more, each is handed on. */
  private void page(String text) {
    handOn();
    page = text;
  }

  private void handOn() {
    if (page != null) {
      found.page(page, date);
    }
    page = null;
    images.forEach(found::image);
    images.clear();
  }

  /** Many make up any text for a guid and forget to say that it is no address. */
  private void endItem() {
    if (!hasLink && WHOLE_URL.matcher(guid).matches()) {
      page(guid);
    }
    handOn();
    hasLink = false;
    guid = "";
    date = "";
  }

  private void atomLink(String attributes) {
    Matcher href = HREF.matcher(attributes);
    if (href.find() && !OTHER_RELATION.matcher(attributes).find()) {
      String quoted = href.group(1) == null ? href.group(2) : href.group(1);
      StringBuilder text = new StringBuilder(quoted == null ? "" : quoted);
      Entities.decode(text, 0);
      page(text.toString());
    }
  }
}
