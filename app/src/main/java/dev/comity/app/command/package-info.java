/**
 * The commands, one class each. A command checks its options before it opens anything, and ends
 * with an exit code. Commands that look into a data directory share their options and their JSON
 * form. {@link dev.comity.app.command.CrawlSession} runs one crawl for {@code crawl} and {@code
 * demo}.
 */
@NullMarked
package dev.comity.app.command;

import org.jspecify.annotations.NullMarked;
