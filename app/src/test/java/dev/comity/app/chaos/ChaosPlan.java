package dev.comity.app.chaos;

import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;

/**
 * What a chaos run is made of.
 *
 * @param pages pages of each host
 * @param lag how late the origin may notice a request on this machine
 * @param retryAfter what refusing hosts ask for; zero: none refuses
 * @param clocksApart whether the clocks of workers are up to ten minutes wrong
 * @param once what is broken once, when a third of that time is over
 * @param breaking how long something is broken every few seconds
 */
record ChaosPlan(
    int workers,
    int hosts,
    int pages,
    Duration delay,
    Duration lag,
    Duration lease,
    Duration retryAfter,
    boolean clocksApart,
    Set<FaultKind> kinds,
    Set<FaultKind> once,
    Duration breaking,
    long seed) {

  private static final Set<FaultKind> NONE = EnumSet.noneOf(FaultKind.class);

  private static final Duration LEASE = Duration.ofSeconds(5);
  private static final Duration A_SECOND = Duration.ofSeconds(1);

  /** What can be broken. */
  enum FaultKind {
    /** A worker is killed and another one is started. */
    KILL,
    /** A worker stands still until its leases are over, and goes on. */
    FREEZE,
    /** The server crashes and starts again. */
    CRASH,
    /** The server crashes and its synchronous standby takes its place. */
    PROMOTE,
    /** Every connection of a worker is reset. */
    RESET,
    /** The answer to a worker's next commit is lost. */
    EATEN_COMMIT,
    /** A worker's packets take a fifth of a second. */
    LATENCY,
    /** A worker's packets go nowhere until its leases are over. */
    BLACK_HOLE,
    /** The server has no room left for data. */
    DISK_FULL,
    /** The server is away for half a minute. */
    AWAY,
    /** Redis crashes and starts again. */
    REDIS_CRASH,
    /** What is sent to Redis goes nowhere until leases are over. */
    REDIS_HOLE,
    /** Redis has lost all. */
    REDIS_FLUSH,
    /** Redis has lost its last commands. */
    REDIS_CUT;

    boolean isOfRedis() {
      return name().startsWith("REDIS");
    }
  }

  /** What a build of every day has time for. */
  static ChaosPlan small(long seed) {
    return new ChaosPlan(
        2,
        12,
        12,
        Duration.ofMillis(500),
        Duration.ofMillis(250),
        Duration.ofSeconds(3),
        A_SECOND,
        true,
        EnumSet.of(FaultKind.KILL, FaultKind.RESET, FaultKind.EATEN_COMMIT, FaultKind.CRASH),
        NONE,
        Duration.ofSeconds(8),
        seed);
  }

  /** Something is broken every few seconds. */
  static ChaosPlan faults(long seed, int minutes) {
    Set<FaultKind> kinds = EnumSet.allOf(FaultKind.class);
    kinds.removeIf(kind -> kind == FaultKind.AWAY || kind.isOfRedis());
    return new ChaosPlan(
        3,
        60,
        Math.max(10, minutes * 25),
        A_SECOND,
        Duration.ofMillis(400),
        LEASE,
        Duration.ofSeconds(10),
        true,
        kinds,
        NONE,
        Duration.ofMinutes(minutes),
        seed);
  }

  /** Queues are in Redis: twenty thousand pages in five minutes of faults. */
  static ChaosPlan redis(long seed, int minutes) {
    return new ChaosPlan(
        3,
        100,
        minutes * 40,
        A_SECOND,
        Duration.ofMillis(400),
        LEASE,
        Duration.ofSeconds(10),
        false,
        EnumSet.of(
            FaultKind.KILL,
            FaultKind.FREEZE,
            FaultKind.CRASH,
            FaultKind.RESET,
            FaultKind.EATEN_COMMIT,
            FaultKind.REDIS_CRASH,
            FaultKind.REDIS_HOLE),
        EnumSet.of(FaultKind.REDIS_FLUSH, FaultKind.REDIS_CUT),
        Duration.ofMinutes(minutes),
        seed);
  }

  /** Nothing is broken: a thousand domains and twenty thousand pages. */
  static ChaosPlan many(long seed) {
    return quiet(seed, 3, 1000, 20);
  }

  /** Nothing is broken: how much workers do with so many domains. */
  static ChaosPlan quiet(long seed, int workers, int hosts, int pages) {
    return new ChaosPlan(
        workers,
        hosts,
        pages,
        A_SECOND,
        Duration.ofMillis(400),
        Duration.ofSeconds(30),
        Duration.ZERO,
        false,
        NONE,
        NONE,
        Duration.ZERO,
        seed);
  }

  /** One fault of this kind in the middle. */
  static ChaosPlan one(long seed, FaultKind kind) {
    return new ChaosPlan(
        3,
        60,
        40,
        A_SECOND,
        Duration.ofMillis(400),
        LEASE,
        Duration.ZERO,
        false,
        EnumSet.of(kind),
        NONE,
        A_SECOND,
        seed);
  }

  /** Nothing is broken but the clocks. */
  static ChaosPlan clocks(long seed) {
    return new ChaosPlan(
        3,
        60,
        40,
        A_SECOND,
        Duration.ofMillis(400),
        LEASE,
        Duration.ofSeconds(20),
        true,
        EnumSet.of(FaultKind.KILL),
        NONE,
        Duration.ofSeconds(60),
        seed);
  }

  boolean needsRedis() {
    return kinds.stream().anyMatch(FaultKind::isOfRedis);
  }

  boolean needsStandby() {
    return kinds.contains(FaultKind.PROMOTE);
  }
}
