package dev.comity.core.policy;

import java.time.Duration;
import java.time.Instant;

/**
 * The budget that a domain shared with others at its server when it was last asked. The budget
 * itself is in the memory of the crawl and ends with it.
 *
 * @param domains how many share it
 * @param delay what lay between two requests of any of them
 * @param at when that was so
 */
public record Sharing(int domains, Duration delay, Instant at) {}
