/**
 * The process around a command: its terminal, its signals and its exit code. The first interrupt
 * ends a crawl in order, the second at once. An environment that stops a command, such as a full
 * disk, ends it with one line.
 */
@NullMarked
package dev.comity.app.process;

import org.jspecify.annotations.NullMarked;
