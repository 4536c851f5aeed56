package dev.comity.store.support;

import dev.comity.core.outcome.Category;
import dev.comity.core.policy.Contact;
import dev.comity.core.policy.DomainState;
import dev.comity.core.policy.Failures;
import dev.comity.core.policy.Failures.Counted;
import dev.comity.core.policy.KnownAuthorities;
import dev.comity.core.policy.KnownAuthorities.Move;
import dev.comity.core.policy.Latency;
import dev.comity.core.policy.Limits;
import dev.comity.core.policy.Slots;
import dev.comity.core.policy.Turn;
import dev.comity.core.policy.VisitTime;
import dev.comity.core.policy.learning.Evidence;
import dev.comity.core.policy.learning.Evidence.Closure;
import dev.comity.core.policy.learning.Evidence.Shown;
import dev.comity.core.policy.learning.LearnedDelay;
import dev.comity.core.policy.learning.LearnedDelay.Incident;
import dev.comity.core.policy.learning.LearnedDelay.Probe;
import dev.comity.core.policy.learning.Noise;
import dev.comity.core.policy.lifecycle.CloseReason;
import dev.comity.core.policy.lifecycle.DomainStatus;
import dev.comity.core.policy.lifecycle.Standing;
import dev.comity.core.url.CrawlUrl;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** States put together by hand, whatever the rules would make of them. */
public final class States {
  public static final Instant NOON = Instant.parse("2026-11-01T12:00:00Z");
  public static final CrawlUrl URL = CrawlUrl.of("https://site.example/a?b=c");

  private States() {}

  /** Every component says something, and no two the same. */
  public static DomainState full() {
    return new DomainState(
        new Standing(
            DomainStatus.BLOCKED,
            Optional.of(CloseReason.RATE_LIMITED),
            Optional.of(NOON.plus(Duration.ofDays(7))),
            1,
            Optional.of("USD 0.01")),
        new Limits(
            Optional.of(Duration.ZERO),
            Duration.ofSeconds(2),
            OptionalInt.of(3),
            Duration.ofMillis(700),
            Optional.of(new VisitTime(22 * 60, 6 * 60))),
        new Slots(NOON.minusNanos(1), NOON.plusSeconds(4), Turn.Why.RETRY_AFTER),
        learning(),
        new Failures(
            List.of(new Counted(URL, NOON.minusSeconds(5), Category.SERVER_ERROR)),
            6,
            List.of(NOON.minusSeconds(7), NOON.minusSeconds(5)),
            Optional.of(Category.DNS_FAILURE),
            true,
            List.of(new Counted(URL, NOON.minusSeconds(9), Category.TIMEOUT)),
            List.of(new Counted(URL, NOON.minusSeconds(6), Category.FORBIDDEN)),
            List.of(URL)),
        new Latency(8, Duration.ofMillis(90), Duration.ofMillis(100)),
        new Contact(
            NOON.minusSeconds(11),
            NOON.minusSeconds(12),
            Optional.of(CrawlUrl.of("http://www.site.example:8080/").authority()),
            true,
            new KnownAuthorities(
                List.of("site.example", "www.site.example"),
                List.of(
                    new Move(CrawlUrl.of("http://site.example/").authority(), URL.authority()))),
            6,
            NOON.minusSeconds(13),
            NOON.minusSeconds(14)));
  }

  private static LearnedDelay learning() {
    return new LearnedDelay(
        Duration.ofMillis(1_500),
        Optional.of(Duration.ofMillis(1_250)),
        Optional.of(Duration.ofMillis(1_600)),
        13,
        Optional.of(new Probe(Duration.ofSeconds(15), true, true, 16, 14)),
        Optional.of(
            new Incident(
                17,
                Duration.ofSeconds(18),
                Duration.ofSeconds(19),
                NOON.minusSeconds(30),
                NOON.minusSeconds(29),
                31,
                NOON.minusSeconds(20),
                Duration.ofSeconds(38))),
        NOON.minusSeconds(21),
        new Evidence(
            NOON.minusSeconds(22),
            NOON.minusSeconds(23),
            24,
            new Shown(
                25,
                26,
                39,
                27,
                Duration.ofSeconds(28),
                32,
                33,
                34,
                true,
                40,
                Duration.ofSeconds(41),
                35,
                Optional.of(new Closure(Duration.ofSeconds(36), 37)),
                new Noise(0.015625, 3.5))));
  }
}
