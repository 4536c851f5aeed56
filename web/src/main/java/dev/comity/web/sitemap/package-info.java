/**
 * Sitemaps by the protocol of sitemaps.org, and the lists that sites use in their place.
 *
 * <p>{@link dev.comity.web.sitemap.SitemapFiles} tells by the bytes what a file is: XML with a
 * {@code urlset}, a {@code sitemapindex}, an RSS or Atom feed, or one URL a line; any of them may
 * be packed with gzip. {@link dev.comity.web.sitemap.SitemapText} unpacks as it is read, so nothing
 * is ever held but the file as it came; {@link dev.comity.web.sitemap.XmlScanner} finds tags and
 * text. It knows neither DTDs nor entities that a file could define: there is nothing to switch
 * off, and nothing it could be made to fetch.
 */
@NullMarked
package dev.comity.web.sitemap;

import org.jspecify.annotations.NullMarked;
