package dev.comity.web.html;

import static dev.comity.web.support.Pages.read;
import static dev.comity.web.support.Pages.targets;
import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.port.fetch.LinkExtractor.Extraction;
import dev.comity.web.support.MonsterPages;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Pages made to exhaust whoever reads them. */
class HtmlLimitsTest {
  private static final int HEAP_MEGABYTES = 384;

  @Test
  void a_hundred_thousand_nested_tags_are_a_page_like_any_other() {
    String deep = "<div>".repeat(100_000) + "<a href=/deep>deep</a>";
    assertThat(targets(deep)).containsExactly("https://site.example/deep");
    assertThat(targets("<b><a href=/x>".repeat(20_000))).containsExactly("https://site.example/x");
    assertThat(targets("<svg><template>".repeat(100_000) + "<p><a href=/x>")).hasSize(1);
  }

  @Test
  void no_more_than_ten_thousand_links_count_and_the_rest_are_counted() {
    StringBuilder html = new StringBuilder();
    for (int i = 0; i < 10_050; i++) {
      html.append("<a href=/").append(i).append(">x</a>");
    }
    Extraction page = read(html.toString());
    assertThat(page.links()).hasSize(10_000).last().hasToString("https://site.example/9999");
    assertThat(page.leftOut()).isEqualTo(50);
  }

  @Test
  void links_to_places_on_one_page_are_one_link() {
    StringBuilder html = new StringBuilder();
    for (int i = 0; i < 500 * 40; i++) {
      html.append("<a href='page").append(i / 40).append("#s").append(i).append("'>x</a>");
    }
    Extraction page = read(html.toString());
    assertThat(page.links()).hasSize(500).last().hasToString("https://site.example/dir/page499");
    assertThat(page.leftOut()).isZero();
  }

  @Test
  void targets_are_counted_not_ways_to_write_them() {
    StringBuilder html = new StringBuilder("<base href='/dir/'>");
    for (int i = 0; i < 4_000; i++) {
      html.append("<a href=").append(i).append("><a href=/dir/").append(i);
      html.append("><a href=./").append(i).append("><a href=//site.example/dir/").append(i);
      html.append("><a href=mailto:m").append(i).append("><img src=").append(i / 5);
      html.append("><img src=/dir/").append(i / 5).append('>');
    }
    Extraction page = read(html.toString());
    assertThat(page.links()).hasSize(4_000).last().hasToString("https://site.example/dir/3999");
    assertThat(page.images()).hasSize(800);
    assertThat(page.leftOut()).isZero();
  }

  @Test
  void many_ways_to_write_few_long_links_end_after_twenty_million_characters() {
    StringBuilder html = new StringBuilder("<base href='/" + "x".repeat(30_000) + "/'>");
    for (int i = 0; i < 100_000; i++) {
      html.append("<a href=").append(i).append("/../x>");
    }
    Extraction page = read(html.toString());
    assertThat(page.links()).hasSize(1);
    assertThat(page.leftOut()).isBetween(99_000, 99_500);
  }

  @Test
  void a_link_that_is_too_long_is_left_out_and_counted() {
    String parameters = "p=1&".repeat(100_000);
    Extraction page =
        read(
            "<a href='/"
                + "x".repeat(1_000_000)
                + "'><a href='/?"
                + parameters
                + "'><a href='/"
                + "y".repeat(32_768)
                + "'><a href='/%zz%'><a href='/%C3%28'>");
    assertThat(page.links())
        .map(Object::toString)
        .containsExactly("https://site.example/%25zz%25", "https://site.example/%C3%28");
    assertThat(page.leftOut()).isEqualTo(3);
  }

  @Test
  void short_links_on_a_long_base_do_not_add_up_to_more_than_a_page_is_worth() {
    StringBuilder html = new StringBuilder("<base href='/" + "x".repeat(30_000) + "/'>");
    for (int i = 0; i < 10_000; i++) {
      html.append("<a href=").append(i).append("><img src=").append(i).append('>');
    }
    Extraction page = read(html.toString());
    assertThat(page.links().stream().mapToInt(link -> link.toString().length()).sum())
        .isBetween(1_900_000, 2_000_000);
    assertThat(page.images().stream().mapToInt(image -> image.url().toString().length()).sum())
        .isBetween(1_900_000, 2_000_000);
    assertThat(page.leftOut()).isEqualTo(20_000 - page.links().size() - page.images().size());
  }

  @Test
  void text_beyond_the_limit_is_not_kept() {
    assertThat(read("word ".repeat(300_000)).text()).hasSize(HtmlReader.LONGEST_TEXT);
    assertThat(read("😀".repeat(600_000) + "x").text()).hasSize(HtmlReader.LONGEST_TEXT);
    assertThat(read("x" + "😀".repeat(600_000)).text()).hasSize(HtmlReader.LONGEST_TEXT - 1);
    assertThat(read("x".repeat(2_000_000)).text()).hasSize(HtmlReader.LONGEST_TEXT);
  }

  @Test
  void only_so_many_attributes_of_a_tag_count() {
    assertThat(targets("<a " + "x=1 ".repeat(127) + "href=/yes>")).hasSize(1);
    assertThat(targets("<a " + "x=1 ".repeat(128) + "href=/no><a href=/yes>"))
        .containsExactly("https://site.example/yes");
  }

  @Test
  void five_pages_made_to_exhaust_the_memory_are_read_at_once_in_a_small_heap() throws Exception {
    Process reader =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx" + HEAP_MEGABYTES + "m",
                "-XX:+UseSerialGC",
                "-cp",
                System.getProperty("java.class.path"),
                MonsterPages.class.getName())
            .redirectErrorStream(true)
            .start();
    try {
      List<String> said = reader.inputReader().lines().toList();
      // The bound only keeps a reader that never ends from holding up the build.
      assertThat(reader.waitFor(2, TimeUnit.MINUTES)).isTrue();
      assertThat(said).last().asString().startsWith("all read");
      assertThat(reader.exitValue()).isZero();
    } finally {
      reader.destroyForcibly();
    }
  }
}
