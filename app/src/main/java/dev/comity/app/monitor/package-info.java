/**
 * A running crawl as people and programs see it. Samples of the engine's snapshot become the live
 * view, one line per event, or JSON. Counters feed the summary at the end. Nothing here slows the
 * crawl: it reads what the workers keep anyway.
 */
@NullMarked
package dev.comity.app.monitor;

import org.jspecify.annotations.NullMarked;
