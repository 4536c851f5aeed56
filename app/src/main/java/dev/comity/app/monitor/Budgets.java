package dev.comity.app.monitor;

/**
 * How much a crawl may have.
 *
 * @param pages pages of the run in all
 * @param inFlight requests at once
 */
public record Budgets(long pages, int inFlight) {}
