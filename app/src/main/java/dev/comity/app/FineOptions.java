package dev.comity.app;

import dev.comity.core.engine.CrawlLimits;
import dev.comity.core.engine.DomainTerms;
import dev.comity.core.engine.EngineSettings;
import dev.comity.core.policy.CooldownSettings;
import dev.comity.core.policy.FailureSettings;
import dev.comity.core.policy.LatencySettings;
import dev.comity.core.policy.LearningSettings;
import dev.comity.core.policy.OutageGuard;
import dev.comity.core.policy.PaceSettings;
import dev.comity.core.policy.PolicySettings;
import dev.comity.core.policy.Priority;
import dev.comity.core.port.StoreLimits;
import dev.comity.core.trap.TrapSettings;
import dev.comity.core.url.DomainName;
import dev.comity.core.url.Grouping;
import dev.comity.core.url.Scope;
import dev.comity.web.FetchSettings;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * What hardly anybody sets. Most of it does not stand in the help, which would be too long to be
 * read; {@code comity config} shows it all.
 */
final class FineOptions {
  private static final SettingGroup<PaceSettings> PACE =
      SettingGroup.of(PaceSettings.DEFAULTS, "")
          .with("concurrency", "Requests in flight to one domain.")
          .with(
              "concurrency-step",
              "How much longer than it must be a delay has to be to cost one request in flight.")
          .with("park-after", "A domain that must wait longer is put aside meanwhile.")
          .named(
              "block-after",
              "block-beyond",
              "A domain that asks for a longer wait is left alone until `comity domain-reset`.");

  private static final SettingGroup<LearningSettings> LEARNING =
      SettingGroup.of(LearningSettings.DEFAULTS, "learning-")
          .named("style", "probe", "How a shorter delay is looked for: midpoint or step.")
          .with("step", "What each further refusal (429) in a row adds to the delay.")
          .with("cap", "How far that goes; what a site served may teach up to 10 minutes.")
          .with("first-rest", "The rest after a first refusal; it doubles with each further one.")
          .with("longest-rest", "Where that doubling ends.")
          .with("probe-after", "With probe: step, successes before a shorter delay is tried.")
          .with("stands-after", "With probe: step, successes after which the shorter one stands.")
          .named(
              "block-after",
              "refusals-block-after",
              "Refusals (429) in a row, over more than a day, that block a domain; 0 for never.")
          .named(
              "cancel-after",
              "refusals-cancel-after",
              "Refusals in a row at the longest delay that end a domain's job; set, none blocks"
                  + " it.");

  private static final SettingGroup<FailureSettings> FAILURES =
      SettingGroup.of(FailureSettings.DEFAULTS, "")
          .with("first-rest", "The rest after a first failure; it doubles with each further one.")
          .with("longest-rest", "Where the doubling ends.")
          .with("close-after", "Different URLs failing in a row that close a domain.")
          .with("robots-tries", "Failures of a robots.txt after which its host is given up.")
          .with("retries", "Tries a URL gets after its first; one at most if it is forbidden.")
          .with(
              "job-fails-after",
              "Different URLs in a row whose latest request failed that end a domain's job.");

  private static final SettingGroup<CooldownSettings> COOLDOWNS =
      SettingGroup.of(CooldownSettings.DEFAULTS, "cooldown-")
          .with("login-required", "How long a domain that wants a log-in is left alone.")
          .with(
              "robots-denied",
              "How long a domain that forbids everything in its robots.txt is left alone.")
          .with("forbidden", "How long a domain that answers 403 or 401 is left alone.")
          .with("rate-limited", "How long a domain that only ever refuses (429) is left alone.")
          .with("server-errors", "How long a domain that only has server errors is left alone.")
          .with("challenge", "How long a domain that answers with captchas is left alone.")
          .with(
              "unreachable",
              "How long a domain that cannot be reached is left alone: the first time, the next,"
                  + " ...")
          .named(
              "permanent-after",
              "permanent-after",
              "Cooldowns in a row after which the next has no end.");

  private static final SettingGroup<LatencySettings> LATENCY =
      SettingGroup.of(LatencySettings.DEFAULTS, "")
          .with(
              "first-byte-factor",
              "How many times as long as 95 of 100 answers took the next one is waited for.")
          .with("shortest-first-byte", "The least an answer's first byte is waited for.")
          .with("longest-first-byte", "The most it is, and what an unknown site gets.")
          .with(
              "latency-factor",
              "The delay is at least this many times how long answers take; 0 for not.");

  private static final SettingGroup<OutageGuard.Settings> OUTAGES =
      SettingGroup.of(OutageGuard.Settings.DEFAULTS, "outage-")
          .with("window", "How far back failures to connect count for an outage of our own.")
          .with("share", "Our network is down when more than this share of the domains asked fail.")
          .with("fewest", "Domains that must have been asked meanwhile.")
          .with("probe-every", "How often it is tried whether the network is back.")
          .with("answered-within", "Only domains count that have answered in this time.");

  private static final SettingGroup<FetchSettings> FETCH =
      SettingGroup.of(FetchSettings.DEFAULT, "")
          .named("connect", "connect-timeout", "How long one address has to accept a connection.")
          .named("first-byte", "longest-first-byte", "")
          .named("idle", "idle-timeout", "How long a body may pause.")
          .named("total", "total-timeout", "How long a whole answer may take.")
          .bytes("page-limit", "How many bytes a page may have, unpacked.")
          .bytes("robots-limit", "How many bytes of a robots.txt are read.");

  private static final SettingGroup<TrapSettings> TRAPS =
      SettingGroup.of(TrapSettings.DEFAULTS, "")
          .shown(
              "barren-pages",
              "Leave a kind of URLs alone after this many pages in a row that brought nothing new;"
                  + " 0: never (default: ${DEFAULT-VALUE}).")
          .named("most-segments", "max-path-segments", "How deep a URL's path may be.");

  private static final SettingGroup<CrawlLimits> LIMITS =
      SettingGroup.of(CrawlLimits.DEFAULTS, "")
          .with("max-in-flight", "Requests in flight in all.")
          .with("max-claims", "Domains worked on at once.");

  private static final SettingGroup<EngineSettings> ENGINE =
      SettingGroup.of(EngineSettings.DEFAULTS, "")
          .with(
              "max-per-address",
              "Requests in flight to one IP address, whatever domains are there.")
          .with("max-rate", "Requests a second in all; 0 for as many as the sites allow.")
          .with("max-redirects", "Redirects that are followed from one URL.")
          .with("robots-redirects", "Redirects that are followed from one robots.txt.")
          .with("robots-cache", "How long a robots.txt is good for.")
          .with("claims-at-once", "Domains claimed in one go.")
          .with("recalculate-every", "How often the order of all domains is computed anew.");

  private static final SettingGroup<StoreLimits> STORE =
      SettingGroup.of(StoreLimits.DEFAULTS, "")
          .with("lease", "How long a claim lasts; it is renewed when a third has passed.")
          .with("max-unfinished", "URLs one domain may have waiting; more are counted, not kept.")
          .with("max-subdomains", "Domains under one registered name that links may open.")
          .with(
              "max-ahead",
              "URLs in memory, of all domains; 100 for each request in flight if more.")
          .with("max-ahead-per-domain", "URLs in memory, of one domain.")
          .with("set-aside-after", "Processes that may die with a URL before it is set aside.")
          .with("pending-every", "Every so many claims the best domain comes that was not begun.");

  private static final SettingGroup<Priority.Weights> WEIGHTS =
      SettingGroup.of(Priority.Weights.DEFAULTS, "priority-")
          .with("rank", "Points in the order of domains for the best rank.")
          .with("image-yield", "Points for one image stored per page.")
          .with("remaining", "Points for each URL left.")
          .with("remaining-cap", "URLs beyond this add no points.")
          .with("error-rate", "Points lost where every request fails.")
          .with("days-since-crawl", "Points for each day without a visit.")
          .with("days-cap", "Days beyond this add no points.")
          .with("days-if-never", "Days a domain counts that was never crawled.")
          .with("last-rank", "A rank from here on brings no points.");

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
      names = "--max-url-length",
      hidden = true,
      paramLabel = "N",
      description = "Characters a URL may have.")
  private int maxUrlLength = Scope.USUAL_LENGTH;

  /** Those of the groups, by name. */
  private final Map<String, OptionSpec> options = new HashMap<>();

  /** Gives the command that takes these options those of the groups, too. */
  @Spec(Spec.Target.MIXEE)
  @SuppressWarnings("unused") // Called when the command is put together.
  private void into(CommandSpec command) {
    groups()
        .flatMap(group -> group.options().stream())
        .forEach(
            option -> {
              // The wait for a first byte is a bound to the policy and to the fetcher.
              if (options.putIfAbsent(nameOf(option), option) == null) {
                command.addOption(option);
              }
            });
  }

  private static Stream<SettingGroup<?>> groups() {
    return Stream.of(
        PACE, LEARNING, FAILURES, COOLDOWNS, LATENCY, OUTAGES, FETCH, TRAPS, LIMITS, ENGINE, STORE,
        WEIGHTS);
  }

  private static String nameOf(OptionSpec option) {
    return option.longestName().substring(2);
  }

  /** All of it as the crawl takes it. */
  Manner manner(Map<DomainName, DomainTerms> domains) {
    try {
      return new Manner(
          new PolicySettings(
              told(PACE),
              told(LEARNING),
              told(FAILURES),
              told(COOLDOWNS),
              told(LATENCY),
              told(OUTAGES)),
          told(FETCH),
          told(TRAPS),
          told(LIMITS),
          told(ENGINE),
          told(STORE),
          told(WEIGHTS),
          maxUrlLength,
          stripSubdomains ? Grouping.BY_REGISTRABLE_DOMAIN : Grouping.BY_HOST,
          smartScheduling,
          domains);
    } catch (IllegalArgumentException wrong) {
      throw new WrongSetting(String.valueOf(wrong.getMessage()));
    }
  }

  private <R extends Record> R told(SettingGroup<R> group) {
    return group.read(this::value);
  }

  private @Nullable Object value(String name) {
    return Objects.requireNonNull(options.get(name)).getValue();
  }
}
