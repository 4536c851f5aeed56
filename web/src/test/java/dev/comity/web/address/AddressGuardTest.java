package dev.comity.web.address;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comity.core.outcome.FetchOutcome.AddressDenied;
import dev.comity.core.outcome.FetchOutcome.ContactMissing;
import dev.comity.core.outcome.FetchOutcome.Unsent;
import dev.comity.web.address.SeedVerdict.ContactNeeded;
import dev.comity.web.address.SeedVerdict.Denied;
import dev.comity.web.address.SeedVerdict.Unresolved;
import dev.comity.web.address.SeedVerdict.Welcome;
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
        "2002:a00:1::"
      })
  void any_other_address_is_closed_to_a_host_nobody_gave(String address) {
    String shown = address(address).getHostAddress();
    assertThat(refusal(guard, "site.example", address)).isEqualTo(new AddressDenied(shown));
    assertThat(refusal(guard, address, address)).isEqualTo(new AddressDenied(shown));
  }

  @Test
  void a_seed_opens_the_kind_of_its_first_answer_and_no_other() {
    names.put("intranet.example", List.of("10.1.2.3"));
    assertThat(guard.seed("Intranet.example")).isEqualTo(new Welcome());
    assertThatCode(() -> guard.admit("intranet.example", address("10.9.9.9"), 80))
        .doesNotThrowAnyException();
    assertThat(refusal(guard, "intranet.example", "127.0.0.1"))
        .isEqualTo(new AddressDenied("127.0.0.1"));
    assertThat(refusal(guard, "other.example", "10.1.2.3"))
        .isEqualTo(new AddressDenied("10.1.2.3"));
  }

  @Test
  void a_public_seed_that_turns_inward_later_is_refused_even_when_given_again() {
    names.put("site.example", List.of("8.8.8.8"));
    guard.seed("site.example");
    names.put("site.example", List.of("127.0.0.1"));
    assertThat(guard.seed("site.example")).isEqualTo(new Denied("127.0.0.1", AddressKind.LOOPBACK));
    assertThat(refusal(guard, "site.example", "127.0.0.1"))
        .isEqualTo(new AddressDenied("127.0.0.1"));
  }

  @Test
  void a_seed_without_an_address_opens_nothing() {
    assertThat(guard.seed("gone.example")).isEqualTo(new Unresolved());
    assertThat(refusal(guard, "gone.example", "10.0.0.1")).isEqualTo(new AddressDenied("10.0.0.1"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"169.254.169.254", "169.254.0.1", "64:ff9b::a9fe:a9fe"})
  void link_local_and_metadata_addresses_need_a_seed_that_is_that_literal(String address) {
    names.put("clever.example", List.of(address));
    assertThat(guard.seed("clever.example")).isInstanceOf(Denied.class);
    assertThat(refusal(guard, "clever.example", address)).isInstanceOf(AddressDenied.class);

    assertThat(guard.seed(address)).isEqualTo(new Welcome());
    assertThatCode(() -> guard.admit(address, address(address), 80)).doesNotThrowAnyException();
    assertThat(refusal(guard, "clever.example", address)).isInstanceOf(AddressDenied.class);
  }

  @Test
  void an_address_given_as_a_seed_is_known_in_any_spelling() {
    assertThat(guard.seed("[::1]")).isEqualTo(new Welcome());
    assertThatCode(() -> guard.admit("0:0:0:0:0:0:0:1", address("::1"), 80))
        .doesNotThrowAnyException();
    assertThatCode(() -> guard.admit("::1", address("::1"), 80)).doesNotThrowAnyException();
  }

  @Test
  void without_a_contact_only_this_machine_may_be_asked() {
    AddressGuard shy = new AddressGuard(resolver, false);
    names.put("site.example", List.of("8.8.8.8"));
    names.put("intranet.example", List.of("10.0.0.1"));
    assertThat(shy.seed("127.0.0.1")).isEqualTo(new Welcome());
    assertThat(shy.seed("site.example")).isEqualTo(new ContactNeeded("8.8.8.8"));
    assertThat(shy.seed("intranet.example")).isEqualTo(new ContactNeeded("10.0.0.1"));
    assertThatCode(() -> shy.admit("127.0.0.1", address("127.0.0.1"), 80))
        .doesNotThrowAnyException();
    assertThat(refusal(shy, "site.example", "8.8.8.8")).isEqualTo(new ContactMissing("8.8.8.8"));
    assertThat(refusal(shy, "intranet.example", "10.0.0.1"))
        .isEqualTo(new ContactMissing("10.0.0.1"));
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
