/**
 * Comity as a library. {@link dev.comity.Comity} is the whole of it for most: where to start, what
 * to do with what is found, and {@code run}. It is as polite as the command, remembers as the
 * command does, prints nothing and ends when it is done.
 *
 * <p>{@link dev.comity.Assembly} puts the parts of a crawl together, for {@code Comity} and for the
 * command alike.
 */
@NullMarked
package dev.comity;

import org.jspecify.annotations.NullMarked;
