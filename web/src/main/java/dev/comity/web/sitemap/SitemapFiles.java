package dev.comity.web.sitemap;

import dev.comity.core.outcome.Body;
import dev.comity.core.port.fetch.SitemapReader;
import dev.comity.core.url.CrawlUrl;
import java.util.Optional;
import java.util.function.Consumer;

/** Reads sitemaps of every form in use. */
public final class SitemapFiles implements SitemapReader {
  /** How many URLs the protocol allows in one file; what is beyond is left out. */
  public static final int MOST_LISTED = 50_000;

  private static final int MOST_BLANKS = 1024;

  @Override
  public boolean recognizes(Body body) {
    try (SitemapText text = SitemapText.of(body)) {
      return startsWithTag(text) ? XmlSitemap.isOne(text) : TextSitemap.isOne(text);
    }
  }

  @Override
  public Tally read(Body body, Consumer<Listed> listed) {
    Counting counting = new Counting(listed);
    try (SitemapText text = SitemapText.of(body)) {
      boolean ended =
          startsWithTag(text)
              ? new XmlSitemap(counting).read(text)
              : TextSitemap.read(text, counting);
      return counting.tally(ended && !text.wasCut());
    }
  }

  private static boolean startsWithTag(SitemapText text) {
    for (int blanks = 0; blanks < MOST_BLANKS && Character.isWhitespace(text.peek()); blanks++) {
      text.next();
    }
    return text.peek() == '<';
  }

  /** Hands on what is a URL, up to the limit. */
  static final class Counting {
    private final Consumer<Listed> listed;
    private int handedOn;
    private int unreadable;
    private boolean over;

    Counting(Consumer<Listed> listed) {
      this.listed = listed;
    }

    /** Whether there was more than may be handed on. */
    boolean isOver() {
      return over;
    }

    void page(String text) {
      page(text, "");
    }

    /**
     * @param date when it was changed last, or nothing
     */
    void page(String text, String date) {
      url(text).ifPresent(url -> handOn(new Listed.SitemapPage(url, EntryDate.read(date))));
    }

    void sitemap(String text) {
      url(text).ifPresent(url -> handOn(new Listed.Sitemap(url)));
    }

    /** Images come beside a page and are not counted. */
    void image(String text) {
      url(text).ifPresent(url -> listed.accept(new Listed.Image(url)));
    }

    private void handOn(Listed one) {
      over = handedOn == MOST_LISTED;
      if (!over) {
        handedOn++;
        listed.accept(one);
      }
    }

    /** Whole URLs only, as the protocol requires: a relative one has no known base. */
    private Optional<CrawlUrl> url(String text) {
      if (CrawlUrl.parse(text.strip()) instanceof CrawlUrl url) {
        return Optional.of(url);
      }
      unreadable++;
      return Optional.empty();
    }

    Tally tally(boolean whole) {
      return new Tally(handedOn, unreadable, whole);
    }
  }
}
