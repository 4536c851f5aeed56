package dev.comity.app;

import dev.comity.core.engine.DomainTerms;
import dev.comity.core.policy.CooldownSettings;
import dev.comity.core.policy.FailureSettings;
import dev.comity.core.policy.LatencySettings;
import dev.comity.core.policy.LearningSettings;
import dev.comity.core.policy.PaceSettings;
import dev.comity.core.policy.PolicySettings;
import dev.comity.core.policy.ProbeStyle;
import dev.comity.core.trap.TrapSettings;
import dev.comity.core.url.DomainName;
import dev.comity.core.url.Grouping;
import dev.comity.web.FetchSettings;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * What hardly anybody sets. Most of it does not stand in the help, which would be too long to be
 * read; {@code comity config} shows it all.
 */
final class FineOptions {
  private static final PaceSettings PACE = PaceSettings.DEFAULTS;
  private static final LearningSettings LEARNING = LearningSettings.DEFAULTS;
  private static final FailureSettings FAILURES = FailureSettings.DEFAULTS;
  private static final CooldownSettings COOLDOWNS = CooldownSettings.DEFAULTS;
  private static final LatencySettings LATENCY = LatencySettings.DEFAULTS;
  private static final FetchSettings FETCH = FetchSettings.DEFAULT;

  @Option(
      names = "--barren-pages",
      paramLabel = "N",
      description =
          "Leave a kind of URLs alone after this many pages in a row that brought nothing new; 0:"
              + " never (default: ${DEFAULT-VALUE}).")
  private int barrenPages = TrapSettings.DEFAULTS.barrenPages();

  @Option(
      names = "--strip-subdomains",
      description =
          "Take all hosts under one registered name for one domain. Use a data directory of its"
              + " own for that.")
  private boolean stripSubdomains;

  @Option(
      names = "--smart-scheduling",
      negatable = true,
      defaultValue = "true",
      fallbackValue = "true",
      description = "Whether domains are claimed by priority, or else in the order of the seeds.")
  private boolean smartScheduling;

  @Option(
      names = "--concurrency",
      hidden = true,
      paramLabel = "N",
      description = "Requests in flight to one domain.")
  private int concurrency = PACE.concurrency();

  @Option(
      names = "--park-after",
      hidden = true,
      paramLabel = "TIME",
      converter = Durations.class,
      description = "A domain that must wait longer is put aside meanwhile.")
  private Duration parkAfter = PACE.parkAfter();

  @Option(
      names = "--max-in-flight",
      hidden = true,
      paramLabel = "N",
      description = "Requests in flight in all.")
  private int maxInFlight = Manner.DEFAULT.maxInFlight();

  @Option(
      names = "--max-claims",
      hidden = true,
      paramLabel = "N",
      description = "Domains worked on at once.")
  private int maxClaims = Manner.DEFAULT.maxClaims();

  @Option(
      names = "--probe",
      hidden = true,
      paramLabel = "STYLE",
      description = "How a shorter delay is looked for: midpoint or step.")
  private ProbeStyle probe = LEARNING.style();

  @Option(
      names = "--refusals-block-after",
      hidden = true,
      paramLabel = "N",
      description = "Refusals (429) in a row that block a domain; 0 for never.")
  private int refusalsBlockAfter = LEARNING.blockAfter();

  @Option(
      names = "--refusals-cancel-after",
      hidden = true,
      paramLabel = "N",
      description =
          "Refusals in a row at the longest delay that end a domain's job; set, none blocks it.")
  private @Nullable Integer refusalsCancelAfter;

  @Option(
      names = "--first-rest",
      hidden = true,
      paramLabel = "TIME",
      converter = Durations.class,
      description = "The rest after a first failure; it doubles with each further one.")
  private Duration firstRest = FAILURES.firstRest();

  @Option(
      names = "--longest-rest",
      hidden = true,
      paramLabel = "TIME",
      converter = Durations.class,
      description = "Where the doubling ends.")
  private Duration longestRest = FAILURES.longestRest();

  @Option(
      names = "--close-after",
      hidden = true,
      paramLabel = "N",
      description = "Different URLs failing in a row that close a domain.")
  private int closeAfter = FAILURES.closeAfter();

  @Option(
      names = "--robots-tries",
      hidden = true,
      paramLabel = "N",
      description = "Failures of a robots.txt after which its host is given up.")
  private int robotsTries = FAILURES.robotsTries();

  @Option(
      names = "--retries",
      hidden = true,
      paramLabel = "N",
      description = "Tries a URL gets after its first.")
  private int retries = FAILURES.retries();

  @Option(
      names = "--job-fails-after",
      hidden = true,
      paramLabel = "N",
      description = "Failed URLs in a row that end a domain's job.")
  private int jobFailsAfter = FAILURES.jobFailsAfter();

  @Option(
      names = "--cooldown-login-required",
      hidden = true,
      paramLabel = "TIME",
      converter = Durations.class,
      description = "How long a domain that wants a log-in is left alone.")
  private Duration loginRequired = COOLDOWNS.loginRequired();

  @Option(
      names = "--cooldown-robots-denied",
      hidden = true,
      paramLabel = "TIME",
      converter = Durations.class,
      description = "How long a domain that forbids everything in its robots.txt is left alone.")
  private Duration robotsDenied = COOLDOWNS.robotsDenied();

  @Option(
      names = "--cooldown-forbidden",
      hidden = true,
      paramLabel = "TIME",
      converter = Durations.class,
      description = "How long a domain that answers 403 or 401 is left alone.")
  private Duration forbidden = COOLDOWNS.forbidden();

  @Option(
      names = "--cooldown-rate-limited",
      hidden = true,
      paramLabel = "TIME",
      converter = Durations.class,
      description = "How long a domain that only ever refuses (429) is left alone.")
  private Duration rateLimited = COOLDOWNS.rateLimited();

  @Option(
      names = "--cooldown-server-errors",
      hidden = true,
      paramLabel = "TIME",
      converter = Durations.class,
      description = "How long a domain that only has server errors is left alone.")
  private Duration serverErrors = COOLDOWNS.serverErrors();

  @Option(
      names = "--cooldown-challenge",
      hidden = true,
      paramLabel = "TIME",
      converter = Durations.class,
      description = "How long a domain that answers with captchas is left alone.")
  private Duration challenge = COOLDOWNS.challenge();

  @Option(
      names = "--cooldown-unreachable",
      hidden = true,
      paramLabel = "TIME",
      converter = Durations.class,
      split = ",",
      description =
          "How long a domain that cannot be reached is left alone: the first time, the next, ...")
  private List<Duration> unreachable = COOLDOWNS.unreachable();

  @Option(
      names = "--permanent-after",
      hidden = true,
      paramLabel = "N",
      description = "Cooldowns in a row after which the next has no end.")
  private int permanentAfter = COOLDOWNS.permanentAfter();

  @Option(
      names = "--latency-factor",
      hidden = true,
      paramLabel = "X",
      description = "The delay is at least this many times how long answers take; 0 for not.")
  private double latencyFactor = LATENCY.latencyFactor();

  @Option(
      names = "--connect-timeout",
      hidden = true,
      paramLabel = "TIME",
      converter = Durations.class,
      description = "How long one address has to accept a connection.")
  private Duration connect = FETCH.connect();

  @Option(
      names = "--idle-timeout",
      hidden = true,
      paramLabel = "TIME",
      converter = Durations.class,
      description = "How long a body may pause.")
  private Duration idle = FETCH.idle();

  @Option(
      names = "--total-timeout",
      hidden = true,
      paramLabel = "TIME",
      converter = Durations.class,
      description = "How long a whole answer may take.")
  private Duration total = FETCH.total();

  @Option(
      names = "--page-limit",
      hidden = true,
      paramLabel = "SIZE",
      converter = Sizes.class,
      description = "How many bytes a page may have, unpacked.")
  private int pageLimit = FETCH.pageLimit();

  @Option(
      names = "--robots-limit",
      hidden = true,
      paramLabel = "SIZE",
      converter = Sizes.class,
      description = "How many bytes of a robots.txt are read.")
  private int robotsLimit = FETCH.robotsLimit();

  /** All of it as the crawl takes it. */
  Manner manner(Map<DomainName, DomainTerms> domains) {
    try {
      return new Manner(
          policy(),
          fetch(),
          TrapSettings.after(barrenPages),
          maxInFlight,
          maxClaims,
          stripSubdomains ? Grouping.BY_REGISTRABLE_DOMAIN : Grouping.BY_HOST,
          smartScheduling,
          domains);
    } catch (IllegalArgumentException wrong) {
      throw new WrongSetting(String.valueOf(wrong.getMessage()));
    }
  }

  private PolicySettings policy() {
    PaceSettings pace =
        new PaceSettings(
            PACE.minimum(), concurrency, PACE.concurrencyStep(), parkAfter, PACE.blockAfter());
    LearningSettings blocking = LEARNING.withStyle(probe).withBlockAfter(refusalsBlockAfter);
    return new PolicySettings(
        pace,
        refusalsCancelAfter == null ? blocking : blocking.withCancelAfter(refusalsCancelAfter),
        new FailureSettings(
            firstRest, longestRest, closeAfter, robotsTries, retries, jobFailsAfter),
        new CooldownSettings(
            loginRequired,
            robotsDenied,
            forbidden,
            rateLimited,
            serverErrors,
            challenge,
            unreachable,
            permanentAfter),
        LATENCY.withLatencyFactor(latencyFactor));
  }

  private FetchSettings fetch() {
    return new FetchSettings(
        connect,
        FETCH.firstByte(),
        idle,
        total,
        pageLimit,
        robotsLimit,
        FETCH.idleConnections(),
        FETCH.keepAlive());
  }
}
