/**
 * Small helpers that know nothing of crawling: argument checks, arithmetic of delays, bounded maps.
 * They read no clock and hold no thread, so every package may use them, the pure ones too.
 */
@NullMarked
package dev.comity.core.util;

import org.jspecify.annotations.NullMarked;
