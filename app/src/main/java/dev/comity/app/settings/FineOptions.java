package dev.comity.app.settings;

import dev.comity.app.text.DurationConverter;
import dev.comity.core.engine.plan.CrawlLimits;
import dev.comity.core.policy.settings.CooldownSettings;
import dev.comity.core.policy.settings.FailureSettings;
import dev.comity.core.policy.settings.LearningSettings;
import dev.comity.core.policy.settings.PaceSettings;
import dev.comity.core.policy.settings.PolicySettings;
import dev.comity.core.policy.settings.ProbeStyle;
import dev.comity.core.port.store.StoreLimits;
import dev.comity.core.schedule.RefreshDates;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * Rules for refusals and failures, and limits of this machine. Few users set them, so the help
 * omits them; {@code comity config} shows them.
 */
public final class FineOptions {
  private static final FailureSettings FAILURES = FailureSettings.DEFAULTS;
  private static final LearningSettings LEARNING = LearningSettings.DEFAULTS;
  private static final CrawlLimits LIMITS = CrawlLimits.DEFAULTS;
  private static final StoreLimits STORE = StoreLimits.DEFAULTS;

  @Option(
      names = "--retries",
      hidden = true,
      paramLabel = "N",
      description = "Tries a URL gets after its first; one at most if it is forbidden.")
  private int retries = FAILURES.retries();

  @Option(
      names = "--close-after",
      hidden = true,
      paramLabel = "N",
      description = "Different URLs failing in a row that close a domain.")
  private int closeAfter = FAILURES.closeAfter();

  @Option(
      names = "--job-fails-after",
      hidden = true,
      paramLabel = "N",
      description = "Different URLs failing in a row, retried or not, that end a domain's job.")
  private int jobFailsAfter = FAILURES.jobFailsAfter();

  @Option(
      names = "--cooldown",
      hidden = true,
      paramLabel = "TIME",
      split = ",",
      converter = DurationConverter.class,
      description =
          "How long a closed domain is left alone, whatever closed it: the first time, the next,"
              + " and so on, the last one repeating. Unset, the reason decides: 1h, 1d, 7d if it"
              + " cannot be reached, 1d for server errors, 7d for refusals (429), 14d for 401, 403"
              + " and captchas, 30d for a log-in, 90d for a robots.txt that forbids everything.")
  private List<Duration> cooldown = List.of();

  @Option(
      names = "--probe",
      hidden = true,
      paramLabel = "STYLE",
      description = "How a shorter delay is looked for: midpoint or step.")
  private ProbeStyle probe = LEARNING.style();

  @Option(
      names = "--learning-cap",
      hidden = true,
      paramLabel = "TIME",
      converter = DurationConverter.class,
      description =
          "How far refusals (429) in a row raise the delay, by a second each; what a site served"
              + " may teach up to 10 minutes.")
  private Duration learningCap = LEARNING.cap();

  @Option(
      names = "--refusals-cancel-after",
      hidden = true,
      paramLabel = "N",
      description =
          "Refusals in a row at the longest delay that end a domain's job; set, none blocks it.")
  private @Nullable Integer refusalsCancelAfter;

  @Option(
      names = "--latency-factor",
      hidden = true,
      paramLabel = "X",
      description = "The delay is at least this many times how long answers take; 0 for not.")
  private double latencyFactor = PaceSettings.DEFAULTS.latencyFactor();

  @Option(
      names = "--max-in-flight",
      hidden = true,
      paramLabel = "N",
      description = "Requests in flight in all.")
  private int maxInFlight = LIMITS.maxInFlight();

  @Option(
      names = "--max-claims",
      hidden = true,
      paramLabel = "N",
      description =
          "Domains that one process has at once; on a server, fewer leave more to other workers.")
  private int maxClaims = LIMITS.maxClaims();

  @Option(
      names = "--max-rate",
      hidden = true,
      paramLabel = "X",
      description =
          "Requests a second in all, to protect your own line; 0 for as many as the sites allow.")
  private double maxRate = LIMITS.maxRate();

  @Option(
      names = "--max-unfinished",
      hidden = true,
      paramLabel = "N",
      description = "URLs one domain may have waiting; more are counted, not kept.")
  private int maxUnfinished = STORE.maxUnfinished();

  @Option(
      names = "--lease",
      hidden = true,
      paramLabel = "TIME",
      converter = DurationConverter.class,
      description = "How long a claim lasts; it is renewed when a third has passed.")
  private Duration lease = STORE.lease();

  @Option(
      names = "--refresh",
      hidden = true,
      paramLabel = "RULE",
      description =
          "When a known page is due again: adaptive (by its rate of change and a budget), or step"
              + " (twice as late if unchanged, half as late if changed).")
  private RefreshChoice refresh = RefreshChoice.ADAPTIVE;

  /** When a known page is due again. */
  enum RefreshChoice {
    ADAPTIVE,
    STEP
  }

  /** The rules of politeness at this pace. */
  PolicySettings policy(Duration minimum, int concurrency) {
    return new PolicySettings(
        new PaceSettings(minimum, concurrency, latencyFactor),
        new LearningSettings(
            probe,
            learningCap,
            refusalsCancelAfter == null
                ? OptionalInt.empty()
                : OptionalInt.of(refusalsCancelAfter)),
        new FailureSettings(closeAfter, retries, jobFailsAfter),
        new CooldownSettings(cooldown));
  }

  /** The limits of a crawl with these budgets. */
  CrawlLimits limits(long maxPages, long maxPagesPerDomain) {
    return new CrawlLimits(
        maxPages, maxPagesPerDomain, maxInFlight, maxClaims, maxRate, LIMITS.grace());
  }

  StoreLimits store() {
    return STORE
        .withLease(lease)
        .withMaxUnfinished(maxUnfinished)
        .refreshing(new RefreshDates(refresh == RefreshChoice.ADAPTIVE));
  }
}
