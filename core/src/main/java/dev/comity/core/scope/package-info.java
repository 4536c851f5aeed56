/**
 * Which links a crawl follows. A {@link dev.comity.core.scope.Scope} judges every link by its
 * domain, its depth and the user's patterns. A {@link dev.comity.core.scope.UrlPattern} matches a
 * whole URL in time proportional to its length. Files that are never pages are known by the ending
 * of their path. Everything here is pure: the same link gets the same answer at any time.
 */
@NullMarked
package dev.comity.core.scope;

import org.jspecify.annotations.NullMarked;
