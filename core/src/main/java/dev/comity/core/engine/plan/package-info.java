/**
 * What a crawl is given and what it shows. {@link dev.comity.core.engine.plan.CrawlPlan} says what
 * to crawl and within which limits. {@link dev.comity.core.engine.plan.CrawlParts} are the adapters
 * and the clock it runs with. A snapshot of a running crawl is read from outside and costs the
 * workers nothing.
 */
@NullMarked
package dev.comity.core.engine.plan;

import org.jspecify.annotations.NullMarked;
