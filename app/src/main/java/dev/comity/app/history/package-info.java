/**
 * Readers of what other crawlers leave: their logs as tables, Nutch's dumps, Heritrix's recover
 * logs and Scrapy's job directories. Each hands its rows to {@link
 * dev.comity.store.backfill.PastRows}, one at a time.
 */
@NullMarked
package dev.comity.app.history;

import org.jspecify.annotations.NullMarked;
