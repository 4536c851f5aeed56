package dev.comity;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.policy.DomainPolicy;
import dev.comity.core.policy.settings.PolicySettings;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.url.DomainName;
import dev.comity.core.url.Grouping;
import dev.comity.core.url.Seed;
import dev.comity.store.DataDirectory;
import dev.comity.store.StoreSettings;
import dev.comity.store.operate.Operator;
import dev.comity.store.sqlite.SqliteStore;
import dev.comity.web.net.AddressGuard;
import dev.comity.web.net.AddressKind;
import dev.comity.web.net.Leave;
import dev.comity.web.net.Overrides;
import dev.comity.web.net.SeedVerdict;
import dev.comity.web.net.SeedVerdict.DenialReason;
import dev.comity.web.net.SeedVerdict.SeedDenied;
import dev.comity.web.net.SeedVerdict.Welcome;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Crawls of one data directory, each with a guard of its own, while a name server changes. */
class SeedCheckTest {
  private static final Instant NOON = Instant.parse("2026-11-17T12:00:00Z");

  @TempDir private Path home;
  private DataDirectory directory;

  @BeforeEach
  void open() {
    directory = new DataDirectory(home.resolve("data"));
  }

  private SeedVerdict life(String seed, Leave leave, String... addresses) throws Exception {
    return life(seed, leave, Overrides.NONE, addresses);
  }

  /** One process: judges the seed as it is now, and keeps it if it may be asked. */
  private SeedVerdict life(String seed, Leave leave, Overrides said, String... addresses)
      throws Exception {
    AddressGuard guard =
        new AddressGuard(
            _ -> Stream.of(addresses).map(InetAddress::ofLiteral).toList(), true, said);
    List<Seed> seeds = List.of((Seed) Seed.parse(seed));
    DomainName domain = Grouping.BY_HOST.domainOf(seeds.getFirst().url());
    SeedCheck.recall(directory, List.of(domain), guard);
    guard.allow(seeds.getFirst().url().authority(), leave);
    SeedVerdict verdict = SeedCheck.verdicts(seeds, guard).getFirst();
    if (verdict instanceof Welcome) {
      StoreSettings settings =
          StoreSettings.of(
              new DomainPolicy(PolicySettings.DEFAULTS),
              Grouping.BY_HOST,
              InstantSource.fixed(NOON));
      try (SqliteStore store = SqliteStore.open(directory, settings)) {
        store.add(
            seeds.stream().map(one -> QueuedUrl.seed(one.url(), one.fallback())).toList(), NOON);
        SeedCheck.keep(seeds, guard, store);
      }
    }
    return verdict;
  }

  private static SeedDenied turned(String address, AddressKind kind) {
    return new SeedDenied(address, kind, DenialReason.TURNED_INWARD);
  }

  @ParameterizedTest
  @EnumSource
  void a_seed_whose_name_turned_inward_between_two_crawls_is_refused(Leave first) throws Exception {
    assertThat(life("http://site.example/", first, "8.8.8.8")).isEqualTo(new Welcome());
    assertThat(life("http://site.example/", Leave.NAMED, "127.0.0.1"))
        .isEqualTo(turned("127.0.0.1", AddressKind.LOOPBACK));
    assertThat(life("http://site.example/", Leave.PRIVATE, "10.0.0.1"))
        .isEqualTo(turned("10.0.0.1", AddressKind.PRIVATE));
    assertThat(life("http://site.example/", Leave.NAMED, "8.8.4.4")).isEqualTo(new Welcome());
  }

  @Test
  void another_port_or_scheme_of_a_host_that_turned_inward_is_refused_as_well() throws Exception {
    life("http://site.example/", Leave.NAMED, "8.8.8.8");
    for (String seed :
        List.of("http://site.example:8080/", "https://site.example/", "site.example")) {
      assertThat(life(seed, Leave.NAMED, "127.0.0.1"))
          .as(seed)
          .isEqualTo(turned("127.0.0.1", AddressKind.LOOPBACK));
    }
  }

  @Test
  void a_seed_that_was_inside_may_be_asked_by_every_later_crawl_but_no_further_inside()
      throws Exception {
    assertThat(life("http://site.example/", Leave.NAMED, "10.0.0.1", "8.8.8.8"))
        .isEqualTo(new Welcome());
    assertThat(life("http://site.example/", Leave.NONE, "10.0.0.2")).isEqualTo(new Welcome());
    assertThat(life("http://site.example/", Leave.NAMED, "127.0.0.1"))
        .isEqualTo(turned("127.0.0.1", AddressKind.LOOPBACK));
  }

  @Test
  void what_lists_may_do_is_said_anew_by_every_crawl() throws Exception {
    assertThat(life("http://site.example/", Leave.PRIVATE, "10.0.0.1")).isEqualTo(new Welcome());
    assertThat(life("http://site.example/", Leave.NONE, "10.0.0.1"))
        .isEqualTo(new SeedDenied("10.0.0.1", AddressKind.PRIVATE, DenialReason.NOT_NAMED));
    assertThat(life("http://site.example/", Leave.PRIVATE, "10.0.0.1")).isEqualTo(new Welcome());
  }

  @Test
  void an_address_the_user_named_is_open_whatever_was_kept_and_is_not_kept_itself()
      throws Exception {
    Overrides here = new Overrides(List.of(Overrides.parse("site.example:80:127.0.0.1")));
    assertThat(life("http://site.example/", Leave.NONE, here, "8.8.8.8")).isEqualTo(new Welcome());
    assertThat(life("http://site.example/", Leave.NAMED, "10.0.0.1"))
        .as("the first answer of a name server")
        .isEqualTo(new Welcome());
    assertThat(life("http://site.example/", Leave.NONE, here, "8.8.8.8")).isEqualTo(new Welcome());
    assertThat(life("http://site.example/", Leave.NAMED, "127.0.0.1"))
        .isEqualTo(turned("127.0.0.1", AddressKind.LOOPBACK));
  }

  @Test
  void a_reset_forgets_the_kind_and_the_name() throws Exception {
    life("http://site.example/", Leave.NAMED, "8.8.8.8");
    reset();
    assertThat(life("http://site.example/", Leave.NAMED, "127.0.0.1")).isEqualTo(new Welcome());
    reset();
    assertThat(life("http://site.example/", Leave.NONE, "127.0.0.1"))
        .isEqualTo(new SeedDenied("127.0.0.1", AddressKind.LOOPBACK, DenialReason.NOT_NAMED));
  }

  private void reset() {
    new Operator(directory, "me").reset("site.example", false, Optional.empty(), NOON);
  }
}
