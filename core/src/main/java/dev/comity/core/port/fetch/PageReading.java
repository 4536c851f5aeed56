package dev.comity.core.port.fetch;

import dev.comity.core.url.CrawlUrl;
import dev.comity.core.usage.Wishes;
import java.util.List;
import java.util.function.Supplier;

/**
 * What a page says beyond its links. It travels with the page to its settlement, and most of it is
 * read only by crawls that keep it.
 *
 * @param html the page as received, decoded into characters
 * @param wishes what robots.txt, the header and the page say about its use
 * @param feeds feeds of RSS or Atom that the head of the page names, a few at most
 * @param images reads the images with their surroundings, in a walk of its own; at most once
 */
public record PageReading(
    String html, Wishes wishes, List<CrawlUrl> feeds, Supplier<List<ImageSighting>> images) {
  /** A page of which nothing more is known. */
  public static final PageReading NONE = new PageReading("", Wishes.NONE, List.of(), List::of);

  /** The same, with what was said about its use before the page was asked for. */
  public PageReading after(Wishes known) {
    return known.isEmpty() ? this : new PageReading(html, wishes.after(known), feeds, images);
  }
}
