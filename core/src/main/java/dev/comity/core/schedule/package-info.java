/**
 * Which domain and which page come next, beyond the pace of one domain. {@link
 * dev.comity.core.schedule.Priority} orders the domains to claim. {@link
 * dev.comity.core.schedule.Budget} and {@link dev.comity.core.schedule.JobStreak} end a job. {@link
 * dev.comity.core.schedule.RefreshRule} says when a page is fetched again, from the rate at which
 * it changes ({@link dev.comity.core.schedule.ChangeRate}) and the price of a visit in its domain
 * ({@link dev.comity.core.schedule.RefreshPrice}). {@link dev.comity.core.schedule.RefreshInterval}
 * is a plainer rule. All of it is pure and takes the time as a parameter.
 */
@NullMarked
package dev.comity.core.schedule;

import org.jspecify.annotations.NullMarked;
