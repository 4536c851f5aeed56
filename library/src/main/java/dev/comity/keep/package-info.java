/**
 * What a crawl keeps of pages when it is asked to. {@link dev.comity.keep.KeepTerms} says what,
 * {@link dev.comity.keep.ContentKeeper} makes it in the thread of the request. What needs a tree is
 * made by {@link dev.comity.keep.TreeThreads}; jsoup's tree and Readability are loaded only then.
 */
@NullMarked
package dev.comity.keep;

import org.jspecify.annotations.NullMarked;
