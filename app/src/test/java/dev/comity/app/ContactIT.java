package dev.comity.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.app.support.Program;
import dev.comity.app.support.Said;
import dev.comity.app.support.Site;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Nobody outside this machine is asked by someone who cannot be reached. The outside is played by
 * {@code 0.0.0.0}: not a loopback address by any rule of ours, yet systems lead it to this very
 * machine.
 */
class ContactIT {
  @TempDir private Path directory;

  @Test
  void without_a_contact_nothing_is_sent_and_the_way_out_is_named() {
    try (Site site = Site.open().page("/", "Home");
        Program program = Program.start(directory, "crawl", outside(site))) {
      assertRefusedForWantOfContact(site, program.ended());
    }
  }

  @Test
  void one_seed_outside_is_enough_to_need_a_contact() {
    try (Site site = Site.open().page("/", "Home");
        Program program = Program.start(directory, "crawl", site.url("/"), outside(site))) {
      assertRefusedForWantOfContact(site, program.ended());
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "  "})
  void a_blank_contact_is_none(String blank) {
    try (Site site = Site.open().page("/", "Home");
        Program program =
            Program.start(
                directory, List.of(), List.of("COMITY_CONTACT=" + blank), "crawl", outside(site))) {
      assertRefusedForWantOfContact(site, program.ended());
    }
  }

  @Test
  void a_contact_in_the_environment_counts_and_is_sent_with_every_request() {
    try (Site site = Site.open().page("/", "Home");
        Program program = environment("me@example.org", outside(site))) {
      Said said = program.ended();
      assertThat(said.code()).isZero();
      assertThat(site.asked()).containsExactly("/robots.txt", "/");
      assertThat(userAgents(site))
          .containsOnly("Comity/" + System.getProperty("comity.version") + " (+me@example.org)");
    }
  }

  @Test
  void the_option_overrules_the_environment() {
    try (Site site = Site.open().page("/", "Home");
        Program program =
            environment(
                "me@example.org", outside(site), "--contact", "https://example.org/crawl")) {
      assertThat(program.ended().code()).isZero();
      assertThat(userAgents(site))
          .containsOnly(
              "Comity/" + System.getProperty("comity.version") + " (+https://example.org/crawl)");
    }
  }

  @Test
  void a_malformed_contact_is_refused_even_for_this_machine() {
    try (Site site = Site.open().page("/", "Home");
        Program program = environment("call me (maybe)", site.url("/"))) {
      Said said = program.ended();
      assertThat(said.code()).isEqualTo(2);
      assertThat(said.err())
          .startsWith("comity: contact: a contact is a URL (https://…) or a mail address")
          .contains("call me (maybe) (environment COMITY_CONTACT)\n");
      assertThat(site.connections()).isZero();
    }
  }

  private static void assertRefusedForWantOfContact(Site site, Said said) {
    assertThat(said.code()).isEqualTo(2);
    assertThat(said.out()).isEmpty();
    assertThat(said.err())
        .isEqualTo(
            """
            comity: crawling 0.0.0.0 (0.0.0.0) needs a contact, so that its owner can reach you: \
            add --contact you@example.org, or set COMITY_CONTACT
            Try: comity crawl --help
            """);
    assertThat(site.connections()).isZero();
  }

  private Program environment(String contact, String... arguments) {
    List<String> all = new ArrayList<>(List.of("crawl", "--delay", "0"));
    all.addAll(List.of(arguments));
    return Program.start(
        directory, List.of(), List.of("COMITY_CONTACT=" + contact), all.toArray(String[]::new));
  }

  private static List<String> userAgents(Site site) {
    return site.requests().stream()
        .map(request -> request.header("User-Agent").orElse("none"))
        .toList();
  }

  private static String outside(Site site) {
    return "http://0.0.0.0:" + site.port() + "/";
  }
}
