/**
 * What keeps a crawl from following a site's URLs for ever where nothing is to be had.
 *
 * <p>URLs that a site's software makes by one rule share a {@link
 * dev.comity.core.trap.UrlTemplate}. Of every template a {@link dev.comity.core.trap.TemplateStats}
 * remembers, in a few hundred bytes, what its pages have said, where they led and which images they
 * showed. A page that says what others said, leads to no new place and shows no new image is
 * barren. After enough barren pages in a row the template is suppressed: its URLs are asked no
 * more, while the rest of the site is. How many pages a template has never matters, so an archive
 * of a hundred thousand articles is crawled to its end.
 *
 * <p>{@link dev.comity.core.trap.Traps} holds the statistics of one domain and is asked about every
 * URL. A few shapes no honest page has, such as a path that repeats itself, are suppressed from the
 * start.
 */
@NullMarked
package dev.comity.core.trap;

import org.jspecify.annotations.NullMarked;
