/** Metrics of a crawl, in the text format of Prometheus. */
@NullMarked
package dev.comity.app.metrics;

import org.jspecify.annotations.NullMarked;
