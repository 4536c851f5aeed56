/**
 * The commands, one class each. A command checks its options before it opens anything, and ends
 * with an exit code. {@link dev.comity.app.command.DataCommand} is what commands about a data
 * directory share. {@link dev.comity.app.command.CrawlProcess} runs one crawl for {@code crawl} and
 * {@code demo}.
 */
@NullMarked
package dev.comity.app.command;

import org.jspecify.annotations.NullMarked;
