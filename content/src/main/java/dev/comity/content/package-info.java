/**
 * What needs the tree of a page: its text with paragraphs, Markdown of its main content, fields by
 * CSS. The crawl itself needs none of it; jsoup's tree and Readability are loaded only here.
 *
 * <p>A {@link dev.comity.content.PageDocument} is parsed once. Its size, depth and everything
 * written from it are bounded, because every page is foreign.
 */
@NullMarked
package dev.comity.content;

import org.jspecify.annotations.NullMarked;
