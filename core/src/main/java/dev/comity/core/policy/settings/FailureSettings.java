package dev.comity.core.policy.settings;

import dev.comity.core.util.Require;

/**
 * When failures close a domain or end a job.
 *
 * @param closeAfter different URLs failing in a row that close the domain
 * @param retries tries a URL gets after its first; one at most where it is forbidden
 * @param jobFailsAfter different URLs in a row, their latest request failed, that end the job
 */
public record FailureSettings(int closeAfter, int retries, int jobFailsAfter) {

  public static final FailureSettings DEFAULTS = new FailureSettings(5, 3, 20);

  public FailureSettings {
    Require.atLeast(1, closeAfter, "close-after");
    Require.atLeast(0, retries, "retries");
    Require.atLeast(1, jobFailsAfter, "job-fails-after");
  }
}
