/**
 * A web server that does exactly what a test tells it to, byte by byte, right or wrong.
 *
 * <p>A {@link dev.comity.testkit.wire.ScriptedServer} listens on loopback and plays one {@link
 * dev.comity.testkit.wire.Script} per connection on that connection's {@link
 * dev.comity.testkit.wire.Wire}. It keeps every request it read, so that a test can count what
 * really went over the wire.
 */
@NullMarked
package dev.comity.testkit.wire;

import org.jspecify.annotations.NullMarked;
