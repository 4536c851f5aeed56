package dev.comity.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.app.support.Program;
import dev.comity.app.support.Said;
import dev.comity.app.support.Site;
import dev.comity.testkit.wire.Replies;
import dev.comity.testkit.wire.Script;
import dev.comity.testkit.wire.ScriptedServer;
import dev.comity.testkit.wire.Wire;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A name whose address changes between two processes. Both look it up in a hosts file; whatever is
 * public is reached through a SOCKS server on this machine, which answers for all the world.
 */
class TurnedInwardIT {
  private static final String SEED = "http://site.example/";

  @TempDir private Path home;
  private final ScriptedServer world = ScriptedServer.playing(TurnedInwardIT::socks);

  @Test
  void a_seed_that_turned_inward_between_two_processes_is_refused_until_its_domain_is_reset()
      throws IOException {
    try (world) {
      assertThat(crawl("8.8.8.8", SEED).code()).isZero();
      int asked = world.connections();
      assertThat(asked).isPositive();

      Said again = crawl("127.0.0.1", SEED, "--again");
      assertThat(again.code()).isEqualTo(2);
      assertThat(again.err())
          .startsWith(
              "comity: site.example leads to 127.0.0.1 (loopback), but led elsewhere when it was"
                  + " first looked up; `comity domain-reset site.example` forgets that\n");
      assertThat(world.connections()).isEqualTo(asked);

      try (Program reset = Program.start(home, "domain-reset", "site.example")) {
        assertThat(reset.ended().code()).isZero();
      }
      assertThat(crawl("127.0.0.1", SEED).code()).isZero();
      assertThat(world.connections()).isGreaterThan(asked);
    }
  }

  private Said crawl(String address, String... arguments) throws IOException {
    Path hosts = Files.writeString(home.resolve("hosts"), address + " site.example\n");
    List<String> all = new ArrayList<>(List.of("crawl", "--delay", "0", "--contact"));
    all.addAll(List.of("me@example.org", "--proxy", "socks5://127.0.0.1:" + world.port()));
    all.addAll(List.of(arguments));
    try (Program program =
        Program.start(
            home,
            List.of("-Djdk.net.hosts.file=" + hosts),
            List.of(),
            all.toArray(String[]::new))) {
      return program.ended();
    }
  }

  /** The other side of RFC 1928, then a web server. */
  private static void socks(Wire wire) throws IOException, InterruptedException {
    HexFormat hex = HexFormat.of();
    wire.read(3);
    wire.send(hex.parseHex("0500"));
    wire.read(10);
    wire.send(hex.parseHex("05000001" + "000000000000"));
    Script.alwaysReplying(Replies.html(Site.html("Home"))).play(wire);
  }
}
