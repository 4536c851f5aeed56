package dev.comity.app.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.app.support.Program;
import dev.comity.app.support.Site;
import dev.comity.testkit.wire.Wire;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Metrics as strangers may use them, in a process of its own: the JDK reads its limits once. */
class MetricsIT {
  private static final int LIMIT = 100;

  @TempDir private Path directory;

  @Test
  void connections_that_ask_nothing_take_no_more_than_their_share_of_the_process()
      throws IOException, InterruptedException {
    int port;
    try (ServerSocket free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }
    List<Socket> idle = new ArrayList<>();
    try (Site site = Site.open().page("/", "Home", "/1").play("/1", Wire::hold);
        Program program =
            Program.start(
                directory, "crawl", site.url("/"), "--delay", "0", "--metrics", "" + port)) {
      site.awaitRequest("/1");
      for (int number = 0; number <= LIMIT; number++) {
        idle.add(new Socket(InetAddress.getLoopbackAddress(), port));
      }
      // Sooner than a request is waited for: it is their number that ends it.
      idle.getLast().setSoTimeout(8_000);
      assertThat(idle.getLast().getInputStream().read()).isEqualTo(-1);
      assertThat(program.isRunning()).isTrue();
    } finally {
      for (Socket socket : idle) {
        socket.close();
      }
    }
  }
}
