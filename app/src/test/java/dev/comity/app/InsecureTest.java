package dev.comity.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.app.support.Commands;
import dev.comity.app.support.Said;
import dev.comity.testkit.tls.TestCertificate;
import dev.comity.testkit.wire.Replies;
import dev.comity.testkit.wire.Script;
import dev.comity.testkit.wire.ScriptedServer;
import org.junit.jupiter.api.Test;

/** Who a site is, nobody vouches for: only who says so crawls it, and cannot overlook it. */
class InsecureTest {
  private static final String WARNING =
      "Warning: certificates are not verified (--insecure); a server may be an impostor.";

  private static ScriptedServer site() {
    return ScriptedServer.playingSecurely(
        TestCertificate.of("127.0.0.1").made().server(),
        "http/1.1",
        Script.alwaysReplying(Replies.html("<title>Home</title>")));
  }

  @Test
  void a_certificate_nobody_vouches_for_is_refused_and_the_reason_shown() {
    try (ScriptedServer site = site()) {
      Said said = Commands.crawl(site.url("/").toString(), "--delay", "0");
      assertThat(said.code()).isEqualTo(1);
      assertThat(said.out()).contains("tls_failure").doesNotContain(WARNING);
      assertThat(site.requests()).isEmpty();
    }
  }

  @Test
  void who_looks_away_gets_the_pages_and_is_reminded_before_and_after() {
    try (ScriptedServer site = site()) {
      Said said = Commands.crawl(site.url("/").toString(), "--delay", "0", "--insecure", "--quiet");
      assertThat(said.code()).isZero();
      assertThat(said.out()).startsWith(WARNING);
      assertThat(said.lastLine()).contains("1 page").endsWith("certificates were not verified");
    }
  }
}
