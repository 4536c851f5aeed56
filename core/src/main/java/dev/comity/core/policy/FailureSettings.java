package dev.comity.core.policy;

import java.time.Duration;

/**
 * When failures rest a domain, close it, or end a job.
 *
 * @param firstRest the rest after a first failure; it doubles with each further one in a row
 * @param longestRest where the doubling ends
 * @param closeAfter different URLs failing in a row that close the domain
 * @param robotsTries failures of one robots.txt after which its authority is given up
 * @param retries tries a URL gets after its first; one at most where it is forbidden
 * @param jobFailsAfter different URLs in a row whose latest request failed that end the job
 */
public record FailureSettings(
    Duration firstRest,
    Duration longestRest,
    int closeAfter,
    int robotsTries,
    int retries,
    int jobFailsAfter) {

  public static final FailureSettings DEFAULTS =
      new FailureSettings(Duration.ofSeconds(2), Duration.ofSeconds(300), 5, 5, 3, 20);

  public FailureSettings {
    Sane.positive(firstRest, "first-rest");
    Sane.positive(longestRest, "longest-rest");
    Sane.ordered(firstRest, "first-rest", longestRest, "longest-rest");
    Sane.atLeast(1, closeAfter, "close-after");
    Sane.atLeast(1, robotsTries, "robots-tries");
    Sane.atLeast(0, retries, "retries");
    Sane.atLeast(1, jobFailsAfter, "job-fails-after");
  }
}
