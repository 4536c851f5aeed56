package dev.comity.core.outcome;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AnnouncedTest {
  private static final Instant NOW = Instant.ofEpochSecond(1_793_534_400);

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "RateLimit: \"p\";r=50;t=30 | 0 | 600",
        "RateLimit: \"p\";r=0;t=30 | 30000 | 0",
        "RateLimit: \"a\";r=50;t=30, \"b\"; r=1; t=2 | 0 | 2000",
        "RateLimit-Policy: \"p\";q=100;w=60 | 0 | 600",
        "RateLimit-Policy: \"burst\";q=10;w=1, \"day\";q=1000;w=86400 | 0 | 86400",
        "RateLimit-Policy: \"p\";q=0;w=60 | 0 | 0",
        "X-RateLimit-Remaining: 3; X-RateLimit-Reset: 7 | 0 | 2334",
        "X-RateLimit-Remaining: 0; X-RateLimit-Reset: 1793534460 | 60000 | 0",
        "RateLimit-Remaining: 60; RateLimit-Reset: 3600 | 0 | 60000",
      })
  void what_is_announced_is_a_rest_or_a_spacing(String lines, long rest, long spacing) {
    assertThat(read(lines))
        .isEqualTo(new Announced(Duration.ofMillis(rest), Duration.ofMillis(spacing)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "RateLimit: ",
        "RateLimit: \"p\";r=x;t=30",
        "RateLimit: \"p\";r=-1;t=30",
        "RateLimit: \"p\";r=5",
        "RateLimit: \"p\";r=0;t=0",
        "RateLimit: \"p\";r=0;t=2678401",
        "RateLimit: \"p\";r=0;t=9999999999999999999999",
        "X-RateLimit-Limit: 60",
        "X-RateLimit-Remaining: 0; X-RateLimit-Reset: 1793534399",
        "X-RateLimit-Remaining: 0; X-RateLimit-Reset: soon",
      })
  void what_makes_no_sense_says_nothing(String lines) {
    assertThat(read(lines)).isEqualTo(Announced.NOTHING);
  }

  @Test
  void a_value_longer_than_servers_write_is_passed_over() {
    String padded = "\"" + "p".repeat(985) + "\";r=0;t=30";
    assertThat(read("RateLimit: " + padded).rest()).isEqualTo(Duration.ofSeconds(30));
    assertThat(read("RateLimit: \"ppppp" + padded.substring(1)).rest()).isZero();
  }

  @Test
  void a_time_to_stay_away_extends_the_rest_only() {
    Announced said = read("RateLimit-Policy: \"p\";q=100;w=60").resting(Duration.ofSeconds(5));
    assertThat(said).isEqualTo(new Announced(Duration.ofSeconds(5), Duration.ofMillis(600)));
    assertThat(said.resting(Duration.ofSeconds(4))).isEqualTo(said);
  }

  /** Lines are parted by "; " before a name that ends in a colon. */
  private static Announced read(String lines) {
    Map<String, List<String>> headers = new TreeMap<>();
    for (String line : lines.split("; (?=[A-Z][A-Za-z-]+:)", -1)) {
      int colon = line.indexOf(':');
      headers
          .computeIfAbsent(line.substring(0, colon), _ -> new ArrayList<>())
          .add(line.substring(colon + 1).strip());
    }
    return Announced.read(Headers.of(headers), NOW);
  }
}
