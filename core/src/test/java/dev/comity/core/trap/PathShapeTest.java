package dev.comity.core.trap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.url.CrawlUrl;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PathShapeTest {
  private static final TrapSettings SETTINGS = TrapSettings.DEFAULTS;

  private static CrawlUrl url(String target) {
    return CrawlUrl.of("https://example.com" + target);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/x/x/x/x", "/a/b/a/b/a/b", "/top/a/b/c/a/b/c/a/b/c/d", "/n/n/n/n/?q=1"})
  void a_path_that_repeats_itself_is_a_trap(String target) {
    assertThat(PathShape.trap(url(target))).contains(TrapReason.REPEATING);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"/x/x/x", "/a/b/a/b", "/tiles/0/0/0/0/0", "/2026/11/11/11/11", "/a/b/c/d/e/f/g/h"})
  void a_path_that_may_be_meant_is_none(String target) {
    assertThat(PathShape.trap(url(target))).isEmpty();
  }

  @Test
  void a_path_may_be_20_deep_and_not_one_more() {
    StringBuilder path = new StringBuilder();
    for (int i = 0; i < 20; i++) {
      path.append("/d").append(i);
    }
    assertThat(PathShape.trap(url(path.toString()))).isEmpty();
    assertThat(PathShape.trap(url(path + "/d20"))).contains(TrapReason.TOO_DEEP);
  }

  @Test
  void what_is_left_out_by_its_shape_is_counted_by_the_reason() {
    Traps traps = new Traps(SETTINGS, List.of());
    CrawlUrl link = url("/x/x/x/x");
    traps.leftOut(link, traps.trap(link).orElseThrow(), Instant.EPOCH);
    traps.leftOut(url("/y/y/y/y"), TrapReason.REPEATING, Instant.EPOCH.plusSeconds(9));
    assertThat(traps.takeChanged())
        .singleElement()
        .satisfies(
            stats -> {
              assertThat(stats.template()).isEqualTo("repeating");
              assertThat(stats.leftOut()).isEqualTo(2);
              assertThat(stats.suppressed().orElseThrow().since()).isEqualTo(Instant.EPOCH);
            });
    assertThat(traps.takeChanged()).isEmpty();
  }

  @Test
  void a_shape_that_was_lifted_is_followed() {
    Traps traps = new Traps(SETTINGS, List.of());
    traps.leftOut(url("/x/x/x/x"), TrapReason.REPEATING, Instant.EPOCH);
    Traps lifted =
        new Traps(SETTINGS, traps.takeChanged().stream().map(TemplateStats::lifting).toList());
    assertThat(lifted.trap(url("/x/x/x/x"))).isEmpty();
    assertThat(lifted.trap(url("/" + "d/e".repeat(30)))).contains(TrapReason.TOO_DEEP);
  }
}
