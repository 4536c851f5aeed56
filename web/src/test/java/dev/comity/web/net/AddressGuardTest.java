package dev.comity.web.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comity.core.outcome.FetchOutcome.AddressDenied;
import dev.comity.core.outcome.FetchOutcome.ContactMissing;
import dev.comity.core.outcome.FetchOutcome.Unsent;
import dev.comity.core.url.Authority;
import dev.comity.web.net.SeedVerdict.ContactNeeded;
import dev.comity.web.net.SeedVerdict.DenialReason;
import dev.comity.web.net.SeedVerdict.SeedDenied;
import dev.comity.web.net.SeedVerdict.Unresolved;
import dev.comity.web.net.SeedVerdict.Welcome;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AddressGuardTest {
  private final Map<String, List<String>> names = new ConcurrentHashMap<>();
  private final Resolver resolver = this::lookUp;
  private final AddressGuard guard = new AddressGuard(resolver, true);

  @Test
  void a_public_address_is_open_to_any_host() {
    assertThatCode(() -> guard.admit("site.example", address("8.8.8.8"), 80))
        .doesNotThrowAnyException();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "127.0.0.1",
        "10.0.0.1",
        "100.64.0.1",
        "169.254.0.1",
        "169.254.169.254",
        "224.0.0.1",
        "0.0.0.0",
        "192.0.2.1",
        "::1",
        "::",
        "fc00::1",
        "fe80::1",
        "64:ff9b::a00:1",
        "64:ff9b::7f00:1",
        "2002:a00:1::"
      })
  void any_other_address_is_closed_to_a_host_nobody_gave(String address) {
    String shown = address(address).getHostAddress();
    assertThat(refusal(guard, "site.example", address)).isEqualTo(new AddressDenied(shown));
    assertThat(refusal(guard, address, address)).isEqualTo(new AddressDenied(shown));
  }

  @Test
  void a_named_seed_opens_the_kind_of_its_first_answer_and_no_other() {
    names.put("intranet.example", List.of("10.1.2.3"));
    assertThat(guard.named(at("Intranet.example"))).isEqualTo(new Welcome());
    assertThatCode(() -> guard.admit("intranet.example", address("10.9.9.9"), 80))
        .doesNotThrowAnyException();
    assertThat(refusal(guard, "intranet.example", "127.0.0.1"))
        .isEqualTo(new AddressDenied("127.0.0.1"));
    assertThat(refusal(guard, "other.example", "10.1.2.3"))
        .isEqualTo(new AddressDenied("10.1.2.3"));
  }

  @Test
  void a_named_seed_opens_no_other_port_of_its_host() {
    assertThat(guard.named(new Authority("http", "127.0.0.1", 8080))).isEqualTo(new Welcome());
    assertThatCode(() -> guard.admit("127.0.0.1", address("127.0.0.1"), 8080))
        .doesNotThrowAnyException();
    assertThat(refusal(guard, "127.0.0.1", "127.0.0.1")).isEqualTo(new AddressDenied("127.0.0.1"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"127.0.0.1", "10.0.0.1", "100.64.0.1", "198.18.0.1", "fd12::1"})
  void a_seed_that_was_not_named_leads_inside_only_where_that_is_allowed(String address) {
    names.put("listed.example", List.of(address));
    InetAddress inside = address(address);
    assertThat(guard.seed(at("listed.example")))
        .isEqualTo(
            new SeedDenied(
                inside.getHostAddress(),
                AddressKind.of(inside.getAddress()),
                DenialReason.NOT_NAMED));
    assertThat(refusal(guard, "listed.example", address)).isInstanceOf(AddressDenied.class);

    guard.allow(at("listed.example"), Leave.PRIVATE);
    assertThat(guard.seed(at("listed.example"))).isEqualTo(new Welcome());
    assertThatCode(() -> guard.admit("listed.example", inside, 80)).doesNotThrowAnyException();
  }

  @Test
  void a_public_seed_that_turns_inward_later_is_refused_even_when_given_again() {
    names.put("site.example", List.of("8.8.8.8"));
    guard.named(at("site.example"));
    names.put("site.example", List.of("127.0.0.1"));
    assertThat(guard.named(at("site.example")))
        .isEqualTo(new SeedDenied("127.0.0.1", AddressKind.LOOPBACK, DenialReason.TURNED_INWARD));
    assertThat(refusal(guard, "site.example", "127.0.0.1"))
        .isEqualTo(new AddressDenied("127.0.0.1"));
  }

  @Test
  void what_an_earlier_crawl_found_first_counts_before_what_is_found_now() {
    names.put("site.example", List.of("127.0.0.1"));
    guard.remember(at("site.example"), AddressKind.PUBLIC);
    assertThat(guard.named(at("site.example")))
        .isEqualTo(new SeedDenied("127.0.0.1", AddressKind.LOOPBACK, DenialReason.TURNED_INWARD));
    assertThat(refusal(guard, "site.example", "127.0.0.1"))
        .isEqualTo(new AddressDenied("127.0.0.1"));
    assertThat(guard.firstKind(at("site.example"))).contains(AddressKind.PUBLIC);
  }

  @Test
  void a_kind_that_differs_from_what_was_kept_opens_nothing_whichever_is_known_first() {
    names.put("site.example", List.of("127.0.0.1"));
    assertThat(guard.named(at("site.example"))).isEqualTo(new Welcome());
    guard.remember(at("site.example"), AddressKind.PRIVATE);
    assertThat(refusal(guard, "site.example", "127.0.0.1"))
        .isEqualTo(new AddressDenied("127.0.0.1"));
    assertThat(refusal(guard, "site.example", "10.0.0.1")).isEqualTo(new AddressDenied("10.0.0.1"));
  }

  @Test
  void what_was_kept_alone_gives_no_leave() {
    guard.remember(at("intranet.example"), AddressKind.PRIVATE);
    assertThat(refusal(guard, "intranet.example", "10.0.0.1"))
        .isEqualTo(new AddressDenied("10.0.0.1"));
    guard.allow(at("intranet.example"), Leave.NAMED);
    assertThatCode(() -> guard.admit("intranet.example", address("10.0.0.1"), 80))
        .doesNotThrowAnyException();
  }

  @Test
  void a_seed_without_an_address_opens_nothing() {
    assertThat(guard.named(at("gone.example"))).isEqualTo(new Unresolved());
    assertThat(guard.firstKind(at("gone.example"))).isEmpty();
    assertThat(refusal(guard, "gone.example", "10.0.0.1")).isEqualTo(new AddressDenied("10.0.0.1"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "169.254.169.254",
        "169.254.0.1",
        "64:ff9b::a9fe:a9fe",
        "fe80::1",
        "fd00:ec2::254"
      })
  void link_local_and_metadata_addresses_need_a_named_seed_that_is_that_literal(String address) {
    names.put("clever.example", List.of(address));
    assertThat(why(guard.named(at("clever.example")))).isEqualTo(DenialReason.NEEDS_LITERAL);
    assertThat(refusal(guard, "clever.example", address)).isInstanceOf(AddressDenied.class);

    guard.allow(at(address), Leave.PRIVATE);
    assertThat(why(guard.seed(at(address)))).isEqualTo(DenialReason.NEEDS_LITERAL);
    assertThat(refusal(guard, address, address)).isInstanceOf(AddressDenied.class);

    assertThat(guard.named(at(address))).isEqualTo(new Welcome());
    assertThatCode(() -> guard.admit(address, address(address), 80)).doesNotThrowAnyException();
    assertThat(refusal(guard, "clever.example", address)).isInstanceOf(AddressDenied.class);
  }

  @Test
  void a_name_with_a_metadata_address_among_its_answers_opens_none_inside() {
    names.put("clever.example", List.of("10.0.0.1", "169.254.169.254"));
    assertThat(guard.named(at("clever.example")))
        .isEqualTo(
            new SeedDenied("169.254.169.254", AddressKind.METADATA, DenialReason.NEEDS_LITERAL));
    assertThat(refusal(guard, "clever.example", "10.0.0.1"))
        .isEqualTo(new AddressDenied("10.0.0.1"));
  }

  @Test
  void an_address_given_as_a_seed_is_known_in_any_spelling() {
    assertThat(guard.named(at("[::1]"))).isEqualTo(new Welcome());
    assertThatCode(() -> guard.admit("0:0:0:0:0:0:0:1", address("::1"), 80))
        .doesNotThrowAnyException();
    assertThatCode(() -> guard.admit("::1", address("::1"), 80)).doesNotThrowAnyException();
  }

  @Test
  void a_translated_address_is_judged_by_the_one_inside_but_is_not_this_machine() {
    assertThatCode(() -> guard.admit("site.example", address("64:ff9b::808:808"), 80))
        .doesNotThrowAnyException();
    AddressGuard shy = new AddressGuard(resolver, false);
    assertThat(shy.named(at("64:ff9b::7f00:1"))).isInstanceOf(ContactNeeded.class);
  }

  @Test
  void without_a_contact_only_this_machine_may_be_asked() {
    AddressGuard shy = new AddressGuard(resolver, false);
    names.put("site.example", List.of("8.8.8.8"));
    names.put("intranet.example", List.of("10.0.0.1"));
    assertThat(shy.named(at("127.0.0.1"))).isEqualTo(new Welcome());
    assertThat(shy.named(at("site.example"))).isEqualTo(new ContactNeeded("8.8.8.8"));
    assertThat(shy.named(at("intranet.example"))).isEqualTo(new ContactNeeded("10.0.0.1"));
    assertThatCode(() -> shy.admit("127.0.0.1", address("127.0.0.1"), 80))
        .doesNotThrowAnyException();
    assertThat(refusal(shy, "site.example", "8.8.8.8")).isEqualTo(new ContactMissing("8.8.8.8"));
    assertThat(refusal(shy, "intranet.example", "10.0.0.1"))
        .isEqualTo(new ContactMissing("10.0.0.1"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "localhost",
        "localhost.",
        "A.LocalHost",
        "printer.local",
        "vault.internal",
        "intranet",
        "a.example.127",
        "a.0x7f"
      })
  void no_local_name_is_passed_on_whatever_is_known_of_it(String host) {
    names.put(host.toLowerCase(Locale.ROOT), List.of("8.8.8.8"));
    guard.named(at(host));
    assertThat(unseen(host)).isEqualTo(new AddressDenied(host));
  }

  @ParameterizedTest
  @ValueSource(strings = {"site.example", "local.example", "internal.example", "a.b1", "8.8.8.8"})
  void other_names_are_passed_on(String host) {
    names.put(host, List.of("8.8.8.8"));
    assertThatCode(() -> guard.admitUnseen(host, 80)).doesNotThrowAnyException();
  }

  @Test
  void of_mixed_answers_only_the_open_ones_are_used_and_carry_their_host() throws Exception {
    names.put("mixed.example", List.of("127.0.0.1", "8.8.8.8", "10.0.0.1", "9.9.9.9"));
    assertThat(guard.resolve("mixed.example", 80))
        .extracting(InetAddress::toString)
        .containsExactly("mixed.example/8.8.8.8", "mixed.example/9.9.9.9");
  }

  @Test
  void answers_that_are_all_closed_are_passed_on_to_be_refused_at_the_door() throws Exception {
    names.put("inward.example", List.of("127.0.0.1"));
    assertThat(guard.resolve("inward.example", 80))
        .extracting(InetAddress::toString)
        .containsExactly("inward.example/127.0.0.1");
  }

  private static Authority at(String host) {
    return new Authority("http", host, 80);
  }

  private static DenialReason why(SeedVerdict verdict) {
    return ((SeedDenied) verdict).why();
  }

  private Unsent unseen(String host) {
    AddressRefusal[] thrown = new AddressRefusal[1];
    assertThatThrownBy(() -> guard.admitUnseen(host, 80))
        .asInstanceOf(InstanceOfAssertFactories.type(AddressRefusal.class))
        .satisfies(refusal -> thrown[0] = refusal);
    return thrown[0].outcome();
  }

  private static Unsent refusal(AddressGuard guard, String host, String address) {
    AddressRefusal[] thrown = new AddressRefusal[1];
    assertThatThrownBy(() -> guard.admit(host, address(address), 80))
        .asInstanceOf(InstanceOfAssertFactories.type(AddressRefusal.class))
        .satisfies(refusal -> thrown[0] = refusal);
    return thrown[0].outcome();
  }

  private List<InetAddress> lookUp(String host) throws UnknownHostException {
    List<String> known = names.getOrDefault(host.toLowerCase(Locale.ROOT), List.of());
    if (!known.isEmpty()) {
      return known.stream().map(AddressGuardTest::address).toList();
    }
    try {
      return List.of(address(host));
    } catch (IllegalArgumentException noLiteral) {
      throw new UnknownHostException(host);
    }
  }

  private static InetAddress address(String literal) {
    return InetAddress.ofLiteral(literal);
  }
}
