package dev.comity.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class CrawlLoadTest {
  @Test
  @Timeout(120)
  void a_small_web_is_crawled_by_the_command_and_nothing_is_missed(@TempDir Path directory)
      throws Exception {
    assumeThat(hasManyAddresses()).isTrue();

    CrawlReport report =
        new CrawlLoad(3, 10, Duration.ZERO, Duration.ofMillis(5), 7, directory).run();

    assertThat(report.faults()).isEmpty();
    assertThat(report.figures())
        .containsEntry("pages", 30)
        .containsEntry("distinct_pages", 30L)
        .containsEntry("moved", 3L)
        .containsEntry("robots_txt", 3L)
        .containsEntry("requests", 36)
        .containsEntry("disallowed", 0);
    assertThat(report.figures().getOrDefault("crawler_cpu_s", 0).doubleValue()).isPositive();
    assertThat(CrawlLoad.json(report))
        .startsWith("{\n  \"hosts\": 3,\n  \"pages_per_host\": 10,\n")
        .contains("\n  \"missing\": 0,\n");
    assertThat(directory).isEmptyDirectory();
  }

  /** Whether this system has more than one loopback address. */
  private static boolean hasManyAddresses() {
    try (ServerSocket _ = new ServerSocket(0, 1, InetAddress.getByName(CrawlWeb.address(0)))) {
      return true;
    } catch (IOException _) {
      return false;
    }
  }
}
