package dev.comity.app.settings;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/** Settings that no longer exist: the value that holds now, and what to write instead. */
public final class GoneSettings {
  /** Constants of their rules now. */
  private static final String CONSTANTS =
      """
      concurrency-step=5s max-per-address=20 claims-at-once=10 park-after=10m
      block-beyond=30d first-rest=2s longest-rest=5m robots-tries=5 learning-step=1s
      learning-first-rest=2s learning-longest-rest=5m learning-probe-after=20
      learning-stands-after=20 first-byte-factor=3 shortest-first-byte=5s outage-window=10s
      outage-share=0.5 outage-fewest=3 outage-probe-every=5s outage-answered-within=30d
      permanent-after=3 max-redirects=5 robots-limit=500KiB robots-redirects=5 robots-cache=1d
      max-url-length=2048 max-path-segments=20 max-subdomains=1000 max-ahead-per-domain=32
      set-aside-after=3 priority-rank=1000 priority-last-rank=10000000 priority-image-yield=1000
      priority-remaining=2 priority-remaining-cap=500 priority-error-rate=500
      priority-days-since-crawl=5 priority-days-cap=365 priority-days-if-never=30 pending-every=4
      recalculate-every=1h
      """;

  /** One setting holds for all of these now. */
  private static final String COOLDOWNS =
      """
      cooldown-login-required=30d cooldown-robots-denied=90d cooldown-forbidden=14d
      cooldown-rate-limited=7d cooldown-server-errors=1d cooldown-challenge=14d
      cooldown-unreachable=1h,1d,7d
      """;

  /** Bounded by another one. */
  private static final String TIMES = "longest-first-byte=30s idle-timeout=20s";

  /** Numbers of a rule there is no more. */
  private static final String FORMER =
      """
      learning-pardon-after=100 learning-pardons=3 learning-nearly-held=25
      learning-clearly-longer=1.25 learning-settled-share=0.1 learning-settled-within=50ms
      learning-retry-after=200 learning-retry-recoveries=20 learning-retry-stands-after=100
      learning-retry-doublings=3 learning-retry-at-least-every=1h learning-retry-time-cap=7d
      """;

  private static final Map<String, String> WORDS = new TreeMap<>();

  static {
    say(CONSTANTS, value -> "it is always " + value + "; leave it out");
    say(COOLDOWNS, value -> "it is " + value + " unless `cooldown` sets times for all reasons");
    say(TIMES, value -> "it is always " + value + "; `total-timeout` bounds the whole answer");
    say(
        FORMER,
        value -> "it was " + value + " in a rule of learning that is replaced; leave it out");
    WORDS.put(
        "max-ahead",
        "it is 50000, or 100 for each of `max-in-flight` if that is more; leave it out");
    WORDS.put(
        "refusals-block-after",
        "it is always 20; `refusals-cancel-after` ends the job instead and blocks no domain");
    WORDS.put("metrics-port", "write `metrics: 9464` or `--metrics 9464`, with your port");
    WORDS.put("metrics-host", "write `metrics: 127.0.0.1:9464`, with your address and port");
    WORDS.put("quiet", "it is only a flag now: `comity crawl --quiet`");
    WORDS.put("seeds-format", "it is only a flag now: `comity crawl --seeds-format csv`");
  }

  private GoneSettings() {}

  private static void say(String settings, UnaryOperator<String> words) {
    for (String setting : settings.strip().split("\\s+", -1)) {
      int equals = setting.indexOf('=');
      WORDS.put(setting.substring(0, equals), words.apply(setting.substring(equals + 1)));
    }
  }

  /** The message for a setting that is gone; empty for a name that never was one. */
  public static Optional<String> words(String name) {
    return Optional.ofNullable(WORDS.get(name)).map(words -> name + " is gone: " + words);
  }

  /** All of them. */
  static Set<String> names() {
    return WORDS.keySet();
  }
}
