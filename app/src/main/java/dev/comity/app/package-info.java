/**
 * The program. {@link dev.comity.app.Main} lists the commands of {@code command}; each reads its
 * options, connects the parts it needs and ends with an exit code. {@code settings} are the values
 * of flags, environment and file; {@code seeds} the URLs to start from. {@code monitor} shows a
 * running crawl, {@code output} writes pages and rows. {@code text} formats values for people, and
 * {@code process} is the terminal, signals and exit codes.
 */
@NullMarked
package dev.comity.app;

import org.jspecify.annotations.NullMarked;
