/**
 * What a URL is, which domain it belongs to and whether a crawl may follow it.
 *
 * <p>A text comes in from a seed file, a page, a redirect or a sitemap. {@link
 * dev.comity.core.url.CrawlUrl} reads it the way browsers do, because that is what sites are
 * written for, and writes it in the strictest spelling, because one page must have one URL. What
 * cannot be crawled is a {@link dev.comity.core.url.UrlRefusal} with its reason, never an exception
 * and never "kept as it is".
 *
 * <p>No other code of the crawler looks for a host in a text. Scope, robots, pace, the address
 * guard and the connection all ask the same {@code CrawlUrl}: parsers that disagree about a host
 * are how crawlers are led to unchecked places.
 *
 * <p>Inside, {@code PlainReader} recognises the nineteen links of twenty that are in normal form
 * already and keeps their text as it is. Everything else goes to {@code UrlReader}, with {@code
 * HostReader} for the host ({@code Ipv4Text}, {@code Ipv6Text}, {@code InternationalName} for its
 * kinds) and {@code TargetWriter} for path and query. The two ways answer alike; the plain one is
 * only faster.
 *
 * <p>From a URL comes its {@link dev.comity.core.url.DomainName}, the unit of politeness; from a
 * line of a seed file a {@link dev.comity.core.url.Seed}; and {@link dev.comity.core.scope.Scope}
 * says of every link whether this crawl goes there.
 */
@NullMarked
package dev.comity.core.url;

import org.jspecify.annotations.NullMarked;
