package dev.comity.app;

/**
 * How much a crawl may have.
 *
 * @param pages pages of the run in all
 * @param inFlight requests at once
 */
record Budgets(long pages, int inFlight) {}
