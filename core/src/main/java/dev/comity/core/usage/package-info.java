/**
 * What sites say about the use of their content, and whether that refuses what a crawl is for.
 *
 * <p>A {@link dev.comity.core.usage.Purpose} is what a crawl is for. A {@link
 * dev.comity.core.usage.Wish} is one statement of a site, in one of the forms of {@link
 * dev.comity.core.usage.UsageSignal}. That enum is the table of which form refuses which purpose.
 * {@link dev.comity.core.usage.Wishes} combines them: one refusal outweighs every permission.
 *
 * <p>The readers take foreign text. They never throw, and what they return is bounded.
 */
@NullMarked
package dev.comity.core.usage;

import org.jspecify.annotations.NullMarked;
