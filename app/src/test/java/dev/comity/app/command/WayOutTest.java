package dev.comity.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.app.support.Commands;
import dev.comity.app.support.Said;
import dev.comity.app.support.Shelf;
import dev.comity.app.support.Site;
import dev.comity.testkit.wire.SeenRequest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Where the requests of a crawl go, told by who was asked. */
class WayOutTest {
  @TempDir private Path directory;

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4})
  void a_redirect_is_checked_at_every_hop(int hops) {
    try (Site inner = Site.open().page("/", "Inner");
        Site site = Site.open().page("/", "Home", "/1")) {
      String target = "http://localhost:" + inner.port() + "/";
      for (int hop = 1; hop < hops; hop++) {
        site.redirect("/" + hop, "/" + (hop + 1));
      }
      site.redirect("/" + hops, target);
      Said said = crawl(site.url("/"), "--scope", "any");
      assertThat(said.out()).contains("failed  " + target + "  address_denied");
      assertThat(site.asked()).contains("/" + hops);
      assertThat(inner.connections()).isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"0.0.0.0", "[::1]", "[::]", "[64:ff9b::7f00:1]", "[2002:7f00:1::]"})
  void a_redirect_finds_no_spelling_that_leads_inside(String host) {
    try (Site inner = Site.open().page("/", "Inner");
        Site site = Site.open()) {
      site.redirect("/", "http://" + host + ":" + inner.port() + "/");
      Said said = crawl(site.url("/"), "--scope", "any");
      assertThat(said.out()).contains("address_denied");
      assertThat(inner.connections()).isZero();
    }
  }

  @Test
  void a_robots_txt_that_has_moved_inside_is_not_followed() {
    try (Site inner = Site.open().robots("User-agent: *");
        Site site = Site.open().page("/", "Home")) {
      site.redirect("/robots.txt", "http://localhost:" + inner.port() + "/robots.txt");
      Said said = crawl(site.url("/"), "--scope", "any");
      assertThat(said.code()).isNotZero();
      assertThat(inner.connections()).isZero();
      assertThat(site.asked()).containsOnly("/robots.txt");
    }
  }

  @Test
  void a_port_that_is_not_for_the_web_is_not_asked_and_why_says_so() {
    Shelf shelf = new Shelf(directory);
    try (Site site = Site.open().page("/", "Home", "http://127.0.0.1:11211/x")) {
      Said said = shelf.said("crawl", "--delay", "0", "--scope", "any", site.url("/"));
      assertThat(said.out()).contains("failed  http://127.0.0.1:11211/x  port_denied");
      assertThat(shelf.text("SELECT outcome FROM crawl_log ORDER BY id DESC LIMIT 1"))
          .isEqualTo("port_denied");
      assertThat(shelf.said("why", "127.0.0.1:11211").out())
          .contains("its last request was not sent: port_denied (that port is not for the web;");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"any", "domain", "host", "seeds"})
  void a_seed_on_this_machine_opens_no_other_port_of_it(String scope) {
    try (Site inner = Site.open().page("/", "Inner").page("/moved", "Moved");
        Site site = Site.open()) {
      site.page("/", "Home", inner.url("/"), "/away");
      site.redirect("/away", inner.url("/moved"));
      crawl(site.url("/"), "--scope", scope);
      assertThat(site.asked()).contains("/", "/away");
      assertThat(inner.connections()).isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "localhost",
        "a.localhost",
        "printer.local",
        "vault.internal",
        "intranet",
        "127.0.0.1",
        "127.9.9.9",
        "[::1]"
      })
  void a_proxy_is_told_no_host_that_is_another_machine_there(String host) {
    try (Site proxy = Site.open()) {
      Said said =
          crawl(
              "http://" + host + "/",
              "--contact",
              "me@example.org",
              "--proxy",
              "http://127.0.0.1:" + proxy.port());
      assertThat(said.code()).isEqualTo(2);
      assertThat(said.err()).contains(host + " is local, so no proxy is told of it");
      assertThat(proxy.connections()).isZero();
    }
  }

  @Test
  void a_host_is_where_resolve_says_and_needs_no_contact_on_this_machine() {
    try (Site site = Site.open().page("/", "Home", "/next").page("/next", "Next")) {
      String url = "http://site.example:" + site.port() + "/";
      Said said = crawl(url, "--resolve", "site.example:" + site.port() + ":127.0.0.1");
      assertThat(said.err()).isEmpty();
      assertThat(said.code()).isZero();
      assertThat(site.asked()).containsExactly("/robots.txt", "/", "/next");
      assertThat(site.requests())
          .extracting(request -> request.header("Host").orElse(""))
          .containsOnly("site.example:" + site.port());
    }
  }

  @Test
  void a_star_leads_every_host_there() {
    try (Site site = Site.open().page("/", "Home")) {
      String port = String.valueOf(site.port());
      Said said =
          crawl(
              "http://a.example:" + port + "/",
              "http://b.example:" + port + "/",
              "--resolve",
              "*:" + port + ":127.0.0.1");
      assertThat(said.code()).isZero();
      assertThat(site.requests())
          .extracting(request -> request.header("Host").orElse(""))
          .contains("a.example:" + port, "b.example:" + port);
    }
  }

  @Test
  void what_is_said_of_one_host_opens_no_other() {
    try (Site site = Site.open()) {
      String port = String.valueOf(site.port());
      String other = "http://localhost:" + port + "/other";
      site.page("/", "Home", other);
      Said said =
          crawl(
              "http://a.example:" + port + "/",
              "--scope",
              "any",
              "--resolve",
              "a.example:" + port + ":127.0.0.1");
      assertThat(said.out()).contains("failed  " + other + "  address_denied");
      assertThat(site.asked()).containsOnly("/robots.txt", "/");
    }
  }

  @Test
  void a_proxy_looks_up_names_that_are_known_only_there() {
    String there = "http://only-there.example/";
    try (Site proxy = Site.open().page(there, "There")) {
      Said said =
          crawl(
              there,
              "--contact",
              "me@example.org",
              "--proxy",
              "http://me:s3cret@127.0.0.1:" + proxy.port());
      assertThat(said.code()).isZero();
      assertThat(proxy.asked()).containsExactly(there + "robots.txt", there);
      assertThat(said.out() + said.err()).doesNotContain("s3cret");
    }
  }

  @Test
  void a_name_known_only_to_the_proxy_needs_a_contact_and_that_is_said_once_at_the_start() {
    try (Site proxy = Site.open()) {
      Said said =
          crawl("http://only-there.example/", "--proxy", "http://127.0.0.1:" + proxy.port());
      assertThat(said.code()).isEqualTo(2);
      assertThat(said.err())
          .contains("crawling only-there.example (known to the proxy at best) needs a contact");
      assertThat(proxy.connections()).isZero();
    }
  }

  @Test
  void a_log_in_goes_to_its_site_alone_and_is_kept_nowhere() throws IOException {
    Shelf shelf = new Shelf(directory);
    try (Site other = Site.open().page("/", "Other");
        Site mine = Site.open().page("/", "Home", "/away").page("/in", "In")) {
      mine.redirect("/away", other.url("/"));
      Said said =
          shelf.said(
              "crawl",
              "--delay",
              "0",
              "--scope",
              "any",
              "--user",
              mine.url("") + "=me:s3cret",
              "--header",
              mine.url("/") + "=X-Token: t0ken",
              mine.url("/"),
              other.url("/"));
      assertThat(said.code()).isZero();
      assertThat(mine.requests())
          .hasSize(3)
          .allMatch(request -> request.header("Authorization").equals(basic()))
          .allMatch(request -> request.header("X-Token").orElse("").equals("t0ken"));
      assertThat(other.requests()).isNotEmpty().allMatch(WayOutTest::tellsNothing);
      String kept = everythingIn(directory) + said.out() + said.err();
      assertThat(kept).doesNotContain("s3cret").doesNotContain("t0ken");
      assertThat(kept).doesNotContain(basic().orElseThrow());
    }
  }

  private static Optional<String> basic() {
    return Optional.of("Basic bWU6czNjcmV0");
  }

  /** Every byte of every file, a character each. */
  private static String everythingIn(Path directory) throws IOException {
    StringBuilder all = new StringBuilder();
    try (var files = Files.walk(directory)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        all.append(Files.readString(file, StandardCharsets.ISO_8859_1));
      }
    }
    assertThat(all).contains("CREATE TABLE");
    return all.toString();
  }

  private static boolean tellsNothing(SeenRequest request) {
    return request.header("Authorization").isEmpty() && request.header("X-Token").isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--resolve | site.example:80 | resolve is \"site.example:80\", but it names a host, a port",
        "--proxy | ftp://me:s3cret@proxy.example:1 | proxy cannot be used: its scheme is neither",
        "--user | me:s3cret | user names no site before a = sign: write it like --user",
        "--user | site.example=s3cret | user for site.example has no NAME:PASSWORD after the ="
            + " sign",
        "--user | site.example/path=me:s3cret | user for site.example/path names a path",
        "--user | ftp://site.example=me:s3cret | user: cannot crawl",
        "--header | site.example=s3cret | header for site.example has no NAME: VALUE",
        "--header | site.example=Host: s3cret | header for https://site.example cannot be sent:"
            + " the",
        "--header | site.example=X: s3crét | header for https://site.example cannot be sent: the",
      })
  void what_makes_no_sense_is_refused_without_repeating_a_secret(
      String option, String value, String message) {
    Said said = crawl("http://127.0.0.1/", option, value);
    assertThat(said.code()).isEqualTo(2);
    assertThat(said.err()).startsWith("comity: " + message).doesNotContain("s3cr");
    assertThat(said.out()).isEmpty();
  }

  private static Said crawl(String... arguments) {
    List<String> all = new ArrayList<>(List.of("--delay", "0"));
    all.addAll(List.of(arguments));
    return Commands.crawl(all.toArray(String[]::new));
  }
}
