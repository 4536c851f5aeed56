/**
 * The program: what a person types becomes a call on the crawler, and what the crawler does becomes
 * something a person can read. {@link dev.comity.app.Main} lists the commands; each is a class of
 * its own that reads its options, wires the parts it needs and ends with an exit code.
 */
@NullMarked
package dev.comity.app;

import org.jspecify.annotations.NullMarked;
