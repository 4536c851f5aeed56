/**
 * Everything one attempt at a URL can come to, grouped by what learns from it: the URL alone, the
 * domain's pace, or the domain's health.
 */
@NullMarked
package dev.comity.core.outcome;

import org.jspecify.annotations.NullMarked;
