/**
 * Time, signals and events, shared by the engine and its adapters. Every wait of the engine goes
 * through the {@link dev.comity.core.port.Timeline}, so a test can own the time. A {@link
 * dev.comity.core.port.CrawlListener} hears what has happened after it is durable. The packages
 * {@code store} and {@code run} are the ports to what survives; the package {@code fetch} is the
 * port to the web.
 */
@NullMarked
package dev.comity.core.port;

import org.jspecify.annotations.NullMarked;
