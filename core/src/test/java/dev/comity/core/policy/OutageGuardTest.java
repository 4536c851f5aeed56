package dev.comity.core.policy;

import static dev.comity.core.policy.support.Script.START;
import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.policy.OutageGuard.OutageVerdict;
import dev.comity.core.url.DomainName;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class OutageGuardTest {
  private final OutageGuard guard = new OutageGuard();
  private final DomainName a = new DomainName("a.test");
  private final DomainName b = new DomainName("b.test");
  private final DomainName c = new DomainName("c.test");
  private final DomainName d = new DomainName("d.test");

  @Test
  void when_most_known_sites_fail_at_once_the_fault_is_ours() {
    assertThat(guard.saw(a, false, START, START)).isEqualTo(new OutageVerdict.GoOn());
    assertThat(guard.saw(b, true, START, START)).isEqualTo(new OutageVerdict.GoOn());
    Instant now = START.plusSeconds(5);
    assertThat(guard.saw(c, false, START, now))
        .isEqualTo(
            new OutageVerdict.Pause(List.of(a, c), now.minusSeconds(10), now.plusSeconds(5)));
    assertThat(guard.paused()).isTrue();
  }

  @Test
  void it_does_not_matter_in_which_order_the_sites_were_seen() {
    guard.saw(a, false, START, START);
    guard.saw(b, false, START, START);
    Instant now = START.plusSeconds(8);
    assertThat(guard.saw(c, true, START, now))
        .isEqualTo(
            new OutageVerdict.Pause(List.of(a, b), now.minusSeconds(10), now.plusSeconds(5)));
  }

  @Test
  void two_failing_sites_are_too_few_and_half_of_four_is_not_most() {
    guard.saw(a, false, START, START);
    assertThat(guard.saw(b, false, START, START)).isEqualTo(new OutageVerdict.GoOn());
    OutageGuard half = new OutageGuard();
    half.saw(a, true, START, START);
    half.saw(b, true, START, START);
    half.saw(c, false, START, START);
    assertThat(half.saw(d, false, START, START)).isEqualTo(new OutageVerdict.GoOn());
  }

  @Test
  void a_site_counts_once_by_its_latest_result() {
    guard.saw(a, false, START, START);
    guard.saw(a, false, START, START);
    guard.saw(a, false, START, START);
    assertThat(guard.paused()).isFalse();
    guard.saw(a, true, START, START);
    guard.saw(b, false, START, START);
    assertThat(guard.saw(c, true, START, START)).isEqualTo(new OutageVerdict.GoOn());
    assertThat(guard.saw(d, false, START, START)).isEqualTo(new OutageVerdict.GoOn());
  }

  @Test
  void what_happened_more_than_ten_seconds_ago_is_forgotten() {
    guard.saw(a, false, START, START);
    guard.saw(b, false, START, START);
    guard.saw(c, false, START, START.plusMillis(10_001));
    assertThat(guard.paused()).isFalse();
  }

  @Test
  void sites_that_have_not_answered_for_thirty_days_are_not_weighed() {
    Instant longAgo = START.minusSeconds(30L * 86_400 + 1);
    guard.saw(a, false, longAgo, START);
    guard.saw(b, false, longAgo, START);
    guard.saw(c, false, longAgo, START);
    assertThat(guard.paused()).isFalse();
  }

  @Test
  void one_connection_every_five_seconds_ends_the_pause_when_it_succeeds() {
    guard.saw(a, false, START, START);
    guard.saw(b, false, START, START);
    guard.saw(c, false, START, START);
    Instant first = START.plusSeconds(5);
    assertThat(guard.probed(false, first))
        .isEqualTo(new OutageVerdict.StayPaused(b, first.plusSeconds(5)));
    assertThat(guard.probed(true, first.plusSeconds(5))).isEqualTo(new OutageVerdict.Resume());
    assertThat(guard.paused()).isFalse();
    assertThat(guard.saw(a, false, START, first.plusSeconds(5)))
        .isEqualTo(new OutageVerdict.GoOn());
  }

  @Test
  void what_was_seen_before_the_pause_is_forgotten_after_it() {
    guard.saw(a, false, START, START);
    guard.saw(b, false, START, START);
    guard.saw(c, false, START, START);
    assertThat(guard.saw(d, false, START, START)).isEqualTo(new OutageVerdict.GoOn());
    guard.probed(true, START);
    assertThat(guard.probed(true, START)).isEqualTo(new OutageVerdict.GoOn());
    DomainName e = new DomainName("e.test");
    DomainName f = new DomainName("f.test");
    guard.saw(d, false, START, START);
    assertThat(guard.saw(e, false, START, START)).isEqualTo(new OutageVerdict.GoOn());
    assertThat(guard.saw(f, false, START, START))
        .isEqualTo(
            new OutageVerdict.Pause(
                List.of(d, e, f), START.minusSeconds(10), START.plusSeconds(5)));
  }

  @Test
  void forgotten_failures_do_not_count_among_the_present_ones() {
    guard.saw(a, false, START, START);
    guard.saw(b, false, START, START);
    Instant later = START.plusSeconds(11);
    guard.saw(a, true, START, later);
    guard.saw(b, true, START, later);
    assertThat(guard.saw(c, false, START, later)).isEqualTo(new OutageVerdict.GoOn());
    assertThat(guard.saw(d, false, START, later)).isEqualTo(new OutageVerdict.GoOn());
    assertThat(guard.saw(new DomainName("e.test"), false, START, later))
        .isInstanceOf(OutageVerdict.Pause.class);
  }
}
