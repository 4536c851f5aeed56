package dev.comity.app.seeds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comity.app.settings.WrongSetting;
import dev.comity.core.url.Grouping;
import dev.comity.web.net.AddressGuard;
import dev.comity.web.net.Leave;
import java.io.ByteArrayInputStream;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Seeds of the command line and of standard input, before names that lead here and there. */
class StartCheckTest {
  private static final Map<String, String> NAMES =
      Map.of(
          "good.example", "8.8.8.8",
          "private.example", "10.0.0.1",
          "shared.example", "100.64.0.1",
          "bench.example", "198.18.0.1",
          "local.example", "127.0.0.1",
          "unique.example", "fd12::1",
          "metadata.example", "169.254.169.254");

  private final AddressGuard guard = new AddressGuard(StartCheckTest::lookUp, true);

  private static List<InetAddress> lookUp(String host) throws UnknownHostException {
    return List.of(
        InetAddress.ofLiteral(
            Optional.ofNullable(NAMES.get(host))
                .orElseThrow(() -> new UnknownHostException(host))));
  }

  private static SeedLines lines(List<String> arguments, String... listed) {
    byte[] text = String.join("\n", listed).getBytes(StandardCharsets.UTF_8);
    return SeedLines.gather(
        arguments,
        List.of(SeedFiles.STANDARD_INPUT),
        new SeedFiles(SeedFormat.AUTO, new ByteArrayInputStream(text)));
  }

  private void greet(SeedLines lines, boolean proxied, boolean allowPrivate)
      throws InterruptedException {
    new StartCheck(guard, Grouping.BY_HOST, proxied, allowPrivate).exchange(lines);
  }

  private static List<String> left(SeedLines lines) {
    return lines.seeds().stream().map(given -> given.seed().url().host()).toList();
  }

  @ParameterizedTest
  @CsvSource({
    "private.example, 10.0.0.1, private",
    "shared.example, 100.64.0.1, shared",
    "bench.example, 198.18.0.1, reserved",
    "local.example, 127.0.0.1, loopback",
    "unique.example, fd12:0:0:0:0:0:0:1, private",
  })
  void a_listed_name_leads_inside_only_where_that_is_allowed(
      String host, String address, String kind) throws InterruptedException {
    SeedLines refused = lines(List.of(), "http://good.example/", "http://" + host + "/");
    greet(refused, false, false);
    assertThat(left(refused)).containsExactly("good.example");
    assertThat(refused.hasBadLines()).isTrue();
    assertThat(refused.complaints())
        .containsExactly(
            "standard input:2: %s leads to %s (%s), where no name out of a list may lead: name it on the command line, or add --allow-private"
                .formatted(host, address, kind));

    SeedLines allowed = lines(List.of(), "http://good.example/", "http://" + host + "/");
    greet(allowed, false, true);
    assertThat(left(allowed)).containsExactly("good.example", host);
    assertThat(allowed.hasBadLines()).isFalse();
  }

  @Test
  void a_listed_name_that_leads_to_metadata_is_refused_even_then() throws InterruptedException {
    SeedLines lines = lines(List.of(), "http://metadata.example/", "http://good.example/");
    greet(lines, false, true);
    assertThat(left(lines)).containsExactly("good.example");
    assertThat(lines.complaints())
        .containsExactly(
            "standard input:1: metadata.example leads to 169.254.169.254 (metadata), which is only"
                + " asked when the address itself is named on the command line");
  }

  @Test
  void what_the_command_line_names_leads_inside_and_so_does_a_line_with_the_same_host_and_port()
      throws InterruptedException {
    SeedLines lines =
        lines(
            List.of("http://private.example/a"),
            "http://private.example/b",
            "http://private.example:8080/c");
    greet(lines, false, false);
    assertThat(lines.seeds())
        .extracting(given -> given.seed().url().target())
        .containsExactly("/a", "/b");
    assertThat(lines.complaints()).singleElement().asString().startsWith("standard input:2: ");
    assertThat(lines.urls()).hasSize(3);
  }

  @Test
  void a_bare_host_that_is_named_may_lead_inside_at_both_its_ports() throws InterruptedException {
    SeedLines lines = lines(List.of("private.example"));
    greet(lines, false, false);
    assertThat(lines.seeds().getFirst().seed().fallback().map(url -> guard.leave(url.authority())))
        .contains(Leave.NAMED);
  }

  @Test
  void a_name_of_the_command_line_that_may_not_be_asked_stops_the_command() {
    SeedLines lines = lines(List.of("http://metadata.example/"), "http://good.example/");
    assertThatThrownBy(() -> greet(lines, false, false))
        .isInstanceOf(WrongSetting.class)
        .hasMessage(
            "metadata.example leads to 169.254.169.254 (metadata), which is only asked when the"
                + " address itself is named on the command line");
  }

  @Test
  void where_all_are_refused_nothing_is_left_to_ask() {
    SeedLines lines = lines(List.of(), "http://private.example/", "http://metadata.example/");
    assertThatThrownBy(() -> greet(lines, false, false))
        .isInstanceOf(WrongSetting.class)
        .hasMessage("none of the seeds may be asked");
    assertThat(lines.complaints()).hasSize(2);
  }

  @Test
  void a_local_name_of_a_list_is_a_bad_line_where_a_proxy_looks_names_up()
      throws InterruptedException {
    SeedLines lines =
        lines(List.of(), "http://good.example/", "http://vault.internal/", "http://printer/");
    greet(lines, true, true);
    assertThat(left(lines)).containsExactly("good.example");
    assertThat(lines.complaints())
        .containsExactly(
            "standard input:2: vault.internal is local, so no proxy is told of it",
            "standard input:3: printer is local, so no proxy is told of it");
  }
}
