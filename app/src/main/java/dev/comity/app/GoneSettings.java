package dev.comity.app;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Settings there were once: what holds in their place, and what to write instead. */
final class GoneSettings {
  private static final Map<String, String> WORDS = new TreeMap<>();

  private static final String COOLDOWN = "; `cooldown` sets one time for all reasons";
  private static final String LEARNING = ", and the rule that learns delays no longer has it";

  static {
    now("concurrency-step", "5s");
    now("max-per-address", "20");
    now("max-claims", "1000");
    now("claims-at-once", "10");
    now("park-after", "10m");
    now("block-beyond", "30d");
    now("first-rest", "2s");
    now("longest-rest", "5m");
    now("robots-tries", "5");
    now("learning-step", "1s");
    now("learning-first-rest", "2s");
    now("learning-longest-rest", "5m");
    now("learning-probe-after", "20");
    now("learning-stands-after", "20");
    now("refusals-block-after", "20", "; `refusals-cancel-after` switches that block off");
    now("first-byte-factor", "3");
    now("shortest-first-byte", "5s");
    now("longest-first-byte", "30s", "; `total-timeout` bounds the whole answer");
    now("outage-window", "10s");
    now("outage-share", "0.5");
    now("outage-fewest", "3");
    now("outage-probe-every", "5s");
    now("outage-answered-within", "30d");
    now("cooldown-login-required", "30d", COOLDOWN);
    now("cooldown-robots-denied", "90d", COOLDOWN);
    now("cooldown-forbidden", "14d", COOLDOWN);
    now("cooldown-rate-limited", "7d", COOLDOWN);
    now("cooldown-server-errors", "1d", COOLDOWN);
    now("cooldown-challenge", "14d", COOLDOWN);
    now("cooldown-unreachable", "1h, 1d, 7d", COOLDOWN);
    now("permanent-after", "3");
    now("idle-timeout", "20s", "; `total-timeout` bounds the whole answer");
    now("max-redirects", "5");
    now("robots-limit", "500KiB");
    now("robots-redirects", "5");
    now("robots-cache", "1d");
    now("max-url-length", "2048");
    now("max-path-segments", "20");
    now("max-subdomains", "1000");
    now("max-ahead", "50000, or 100 for each of `max-in-flight` if that is more");
    now("max-ahead-per-domain", "32");
    now("set-aside-after", "3");
    now("priority-rank", "1000");
    now("priority-last-rank", "10000000");
    now("priority-image-yield", "1000");
    now("priority-remaining", "2");
    now("priority-remaining-cap", "500");
    now("priority-error-rate", "500");
    now("priority-days-since-crawl", "5");
    now("priority-days-cap", "365");
    now("priority-days-if-never", "30");
    now("pending-every", "4");
    now("recalculate-every", "1h");
    was("learning-pardon-after", "100");
    was("learning-pardons", "3");
    was("learning-nearly-held", "25");
    was("learning-clearly-longer", "1.25");
    was("learning-settled-share", "0.1");
    was("learning-settled-within", "50ms");
    was("learning-retry-after", "200");
    was("learning-retry-recoveries", "20");
    was("learning-retry-stands-after", "100");
    was("learning-retry-doublings", "3");
    was("learning-retry-at-least-every", "1h");
    was("learning-retry-time-cap", "7d");
    say("metrics-port", "write `metrics: 9464` or `--metrics 9464`, with your port");
    say("metrics-host", "write `metrics: 127.0.0.1:9464`, with your address and port");
    say("quiet", "it is only a flag now: `comity crawl --quiet`");
    say("seeds-format", "it is only a flag now: `comity crawl --seeds-format csv`");
  }

  private GoneSettings() {}

  private static void now(String name, String value) {
    now(name, value, "");
  }

  private static void now(String name, String value, String instead) {
    say(name, "it is always " + value + "; leave it out" + instead);
  }

  private static void was(String name, String value) {
    say(name, "it was " + value + LEARNING + "; leave it out");
  }

  private static void say(String name, String words) {
    WORDS.put(name, name + " is gone: " + words);
  }

  /** What to say to a user who still sets it; nothing of what never was a setting. */
  static Optional<String> words(String name) {
    return Optional.ofNullable(WORDS.get(name));
  }

  /** All of them, in alphabetical order. */
  static Iterable<String> names() {
    return WORDS.keySet();
  }
}
