package dev.comity.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class CrawlLoadTest {
  @Test
  @Timeout(120)
  void a_small_web_is_crawled_by_the_command_and_nothing_is_missed(@TempDir Path directory)
      throws Exception {
    assumeThat(hasManyAddresses()).isTrue();

    CrawlShape shape = CrawlShape.fast(3, 10).away(Duration.ofMillis(5));
    CrawlReport report = crawled(shape, directory);
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

  @Test
  @Timeout(120)
  void over_https_all_is_the_same_and_the_certificates_are_verified(@TempDir Path directory)
      throws Exception {
    assumeThat(hasManyAddresses()).isTrue();

    CrawlReport report = crawled(CrawlShape.fast(3, 10).overHttps(), directory);

    assertThat(report.figures()).containsEntry("pages", 30).containsEntry("requests", 36);
    assertThat(report.figures().getOrDefault("crawler_peak_rss_mb", 0).doubleValue()).isPositive();
  }

  private static CrawlReport crawled(CrawlShape shape, Path directory) throws Exception {
    CrawlReport report = new CrawlLoad(shape, 7, directory, Optional.empty()).run();
    assertThat(report.faults()).isEmpty();
    return report;
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
