package dev.comity.store.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.outcome.Category;
import dev.comity.core.policy.Contact;
import dev.comity.core.policy.DomainState;
import dev.comity.core.policy.Failures;
import dev.comity.core.policy.Failures.Counted;
import dev.comity.core.policy.Latency;
import dev.comity.core.policy.Limits;
import dev.comity.core.policy.Slots;
import dev.comity.core.policy.Turn;
import dev.comity.core.policy.learning.LearnedDelay;
import dev.comity.core.policy.lifecycle.Standing;
import dev.comity.core.url.CrawlUrl;
import dev.comity.store.support.States;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DomainStateJsonTest {
  private static final DomainState FRESH = DomainState.FRESH;

  /** The stored form. A change here means a new version, or a store that cannot be read. */
  private static final String FULL =
      """
      {"v":2,\
      "standing":{"status":"blocked","reason":"rate_limited","until":1794139200000000000,\
      "setbacks":1,"detail":"USD 0.01"},\
      "limits":{"minimum":0,"crawl_delay":2000000000,"concurrency":3,"announced":700000000,\
      "visit_time":{"from":1320,"to":360}},\
      "slots":{"last_start":1793534399999999999,"rest_until":1793534404000000000,\
      "why":"retry_after"},\
      "learning":{"learned":1500000000,"refused":1250000000,"floor":1600000000,"row":13,\
      "probe":{"from":15000000000,"retry":true,"slower":true,"needed":16,"refusals":14},\
      "incident":{"refusals":17,"delay":18000000000,"taught":19000000000,\
      "empty_before":1793534370000000000,"open_since":1793534371000000000,"served":31,\
      "last_try":1793534380000000000,"waited":38000000000},\
      "last_refusal":1793534379000000000,\
      "evidence":{"empty_at":1793534378000000000,"open_since":1793534377000000000,"served":24,\
      "shown":{"tries":25,"searched":26,"spent":39,"burst":27,"burst_delay":28000000000,\
      "strides":32,"cost":33,\
      "patience":34,"guessed":true,"lasted":40,"at_most":41000000000,"against":35,\
      "closure":{"length":36000000000,"served":37},"noise":{"share":0.015625,"credit":3.5}}}},\
      "failures":{"streak":[{"url":"https://site.example/a?b=c","at":1793534395000000000,\
      "category":"server_error"}],"moments":6,\
      "recent":[1793534393000000000,1793534395000000000],"last":"dns_failure","succeeded":true,\
      "robots":[{"url":"https://site.example/a?b=c","at":1793534391000000000,\
      "category":"timeout"}],\
      "failing":[{"url":"https://site.example/a?b=c","at":1793534394000000000,\
      "category":"forbidden"}],"walls":["https://site.example/a?b=c"]},\
      "latency":{"samples":8,"average":90000000,"high":100000000},\
      "heard":{"last_answer":1793534389000000000,"last_success":1793534388000000000,\
      "by":"http://www.site.example:8080","several":true,\
      "secure":["site.example","www.site.example"],\
      "moves":[{"from":"http://site.example","to":"https://site.example"}],\
      "refusals":6,"refused_since":1793534387000000000,"served_since":1793534386000000000}}\
      """;

  @Test
  void a_state_from_before_the_search_counted_its_refusals_is_read() {
    String before =
        FULL.replace(",\"waited\":38000000000", "")
            .replace("\"spent\":39,", "")
            .replace(
                "\"lasted\":40,\"at_most\":41000000000,\"against\":35",
                "\"inferred\":true,\"alarms\":35");
    LearnedDelay read = DomainStateJson.decode(before).learning();
    assertThat(read.incident().orElseThrow().waited()).isZero();
    assertThat(read.evidence().shown().burst()).isEqualTo(27);
    assertThat(read.evidence().shown().spent()).isZero();
    assertThat(read.evidence().shown().atMost()).isZero();
    assertThat(read.evidence().noise().share()).isEqualTo(0.015625);
  }

  @Test
  void a_fresh_domain_is_nothing_but_its_version() {
    assertThat(DomainStateJson.encode(FRESH)).isEqualTo("{\"v\":2}");
  }

  @Test
  void what_says_nothing_is_shared() {
    DomainState read = DomainStateJson.decode("{\"v\":1}");
    assertThat(read).isEqualTo(FRESH);
    assertThat(read.standing()).isSameAs(FRESH.standing());
    assertThat(read.limits()).isSameAs(FRESH.limits());
    assertThat(read.slots()).isSameAs(FRESH.slots());
    assertThat(read.learning()).isSameAs(FRESH.learning());
    assertThat(read.failures()).isSameAs(FRESH.failures());
    assertThat(read.latency()).isSameAs(FRESH.latency());
    assertThat(read.heard()).isSameAs(FRESH.heard());
  }

  @Test
  void a_state_that_says_everything_is_this_very_text() {
    assertThat(DomainStateJson.encode(States.full())).isEqualTo(FULL);
    assertThat(DomainStateJson.decode(FULL)).isEqualTo(States.full());
  }

  @Test
  void a_domain_that_behaves_is_this_very_text() {
    Instant now = Instant.parse("2026-11-01T12:00:00.123456789Z");
    DomainState wellBehaved =
        new DomainState(
            Standing.ACTIVE,
            FRESH.limits(),
            new Slots(now, Slots.NEVER, Turn.Why.DELAY),
            FRESH.learning(),
            new Failures(List.of(), 0, List.of(), Optional.empty(), true),
            new Latency(1_000, Duration.ofNanos(123_456_789), Duration.ofNanos(234_567_890)),
            new Contact(
                now, now, Optional.of(States.URL.authority()), false, FRESH.heard().doors()));
    String text =
        """
        {"v":2,"standing":{"status":"active"},"slots":{"last_start":1793534400123456789},\
        "failures":{"succeeded":true},\
        "latency":{"samples":1000,"average":123456789,"high":234567890},\
        "heard":{"last_answer":1793534400123456789,"last_success":1793534400123456789,\
        "by":"https://site.example"}}\
        """;
    assertThat(DomainStateJson.encode(wellBehaved)).isEqualTo(text).hasSizeLessThan(300);
    assertThat(DomainStateJson.decode(text)).isEqualTo(wellBehaved);
    assertThat(DomainStateJson.decode(text).learning()).isSameAs(FRESH.learning());
  }

  @Test
  void what_a_newer_writer_added_is_passed_over() {
    String newer =
        FULL.replace("{", "{\"newer\":[{\"row\":7},[null,1.5,\"}\"]],")
            .replace("{\"newer\":[{\"row\":7},[null,1.5,\"}\"]],\"v\":2,", "{\"v\":2,\"more\":{},");
    assertThat(newer).contains("\"newer\"").startsWith("{\"v\":2,\"more\":{}");
    assertThat(DomainStateJson.decode(newer)).isEqualTo(States.full());
  }

  @Test
  void what_a_store_of_form_1_had_learnt_is_kept() {
    LearnedDelay old =
        DomainStateJson.decode(
                """
                {"v":1,"learning":{"learned":1500000000,"refused":1250000000,"floor":1600000000,\
                "came_from":1750000000,"suspect":1125000000,"row":13,"savings":14,\
                "probe":{"from":15000000000,"saved_before":16,"retry":true},\
                "incident":{"refusals":17,"delay":18000000000,"taught":19000000000,\
                "verdict":"doubted","opened_at":1793534380000000000},\
                "last_refusal":1793534379000000000,\
                "recheck":{"about":22000000000,"doublings":23,"recovery":24000000000,\
                "since":1793534375000000000,"successes":26}}}\
                """)
            .learning();
    LearnedDelay full = States.full().learning();
    assertThat(old.learned()).isEqualTo(full.learned());
    assertThat(old.refused()).isEqualTo(full.refused());
    assertThat(old.floor()).isEqualTo(full.floor());
    assertThat(old.lastRefusal()).isEqualTo(full.lastRefusal());
    assertThat(old.incident().orElseThrow().refusals()).isEqualTo(17);
    assertThat(old.probe().orElseThrow().from()).isEqualTo(Duration.ofSeconds(15));
    assertThat(old.evidence()).isEqualTo(FRESH.learning().evidence());
  }

  @Test
  void fields_are_found_in_any_order_and_with_any_space() {
    String spaced =
        " {\"v\" : 1, \"slots\":\n{ \"rest_until\":2,\"last_start\" : 1} ,\"limits\":{ } }\n";
    assertThat(DomainStateJson.decode(spaced).slots())
        .isEqualTo(
            new Slots(Instant.EPOCH.plusNanos(1), Instant.EPOCH.plusNanos(2), FRESH.slots().why()));
  }

  @ParameterizedTest
  @ValueSource(longs = {Long.MIN_VALUE, Long.MIN_VALUE + 1, -1, 0, 1, Long.MAX_VALUE})
  void every_time_and_span_that_fits_a_long_reads_back_to_the_nanosecond(long nanos) {
    Instant time = Instant.EPOCH.plusNanos(nanos);
    Duration span = Duration.ofNanos(nanos);
    DomainState state = withTimes(time, span);
    assertThat(DomainStateJson.decode(DomainStateJson.encode(state))).isEqualTo(state);
  }

  @Test
  void what_is_beyond_a_long_reads_back_as_the_end_of_it() {
    assertReadsBack(
        withTimes(Instant.MAX, Duration.ofSeconds(Long.MAX_VALUE)),
        withTimes(Instant.EPOCH.plusNanos(Long.MAX_VALUE), Duration.ofNanos(Long.MAX_VALUE)));
    assertReadsBack(
        withTimes(Instant.MIN, Duration.ofSeconds(Long.MIN_VALUE)),
        withTimes(Instant.EPOCH.plusNanos(Long.MIN_VALUE), Duration.ofNanos(Long.MIN_VALUE)));
  }

  @ParameterizedTest
  @ValueSource(ints = {Integer.MIN_VALUE, -1, Integer.MAX_VALUE})
  void every_count_reads_back(int count) {
    DomainState state =
        new DomainState(
            new Standing(FRESH.standing().status(), Optional.empty(), Optional.empty(), count),
            FRESH.limits().withConcurrency(Math.max(1, count)),
            FRESH.slots(),
            FRESH.learning(),
            new Failures(List.of(), count, List.of(), Optional.empty(), false),
            new Latency(count, Duration.ZERO, Duration.ZERO),
            FRESH.heard());
    assertReadsBack(state, state);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://[2001:db8::1]:8443/",
        "http://[2001:db8::1]/",
        "https://192.0.2.7:80/",
        "http://site.example:443/",
        "https://xn--bcher-kva.example/%22%5C%00?q=%27%7B",
      })
  void awkward_urls_and_their_authorities_read_back(String text) {
    assertUrlReadsBack(CrawlUrl.of(text));
  }

  @Test
  void the_longest_url_reads_back() {
    String start = "https://site.example/";
    assertUrlReadsBack(CrawlUrl.of(start + "a".repeat(32_768 - start.length())));
  }

  private static void assertUrlReadsBack(CrawlUrl url) {
    DomainState state =
        new DomainState(
            FRESH.standing(),
            FRESH.limits(),
            FRESH.slots(),
            FRESH.learning(),
            new Failures(
                List.of(new Counted(url, Slots.NEVER, Category.TIMEOUT)),
                1,
                List.of(),
                Optional.empty(),
                false),
            FRESH.latency(),
            new Contact(
                Slots.NEVER,
                Slots.NEVER,
                Optional.of(url.authority()),
                false,
                FRESH.heard().doors()));
    assertReadsBack(state, state);
  }

  private static void assertReadsBack(DomainState written, DomainState read) {
    assertThat(DomainStateJson.decode(DomainStateJson.encode(written))).isEqualTo(read);
  }

  private static DomainState withTimes(Instant time, Duration span) {
    return new DomainState(
        new Standing(FRESH.standing().status(), Optional.empty(), Optional.of(time), 0),
        new Limits(Optional.of(span), span, OptionalInt.empty()),
        new Slots(time, time, FRESH.slots().why()),
        FRESH.learning(),
        new Failures(List.of(), 0, List.of(time, time), Optional.empty(), false),
        new Latency(0, span, span),
        new Contact(time, time, Optional.empty(), false, FRESH.heard().doors()));
  }
}
