package dev.comity.web.robots;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.outcome.Body;
import dev.comity.core.url.CrawlUrl;
import dev.comity.testkit.gen.Property;
import java.nio.charset.StandardCharsets;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TdmRepFileTest {
  private static final String FILE =
      """
      [ {"location": "/", "tdm-reservation": 0},
        {"location": "/art/", "tdm-reservation": 1, "tdm-policy": "https://site.example/p.json"},
        {"location": "/art/free/*.png$", "tdm-reservation": "0"},
        {"location": "files/ü", "tdm-reservation": 1, "more": {"a": [1, 2]}},
        "noise", 7, null, [[]],
        {"tdm-reservation": 1} ]
      """;

  @ParameterizedTest
  @CsvSource({
    "/, TDM_NOT_RESERVED",
    "/other, TDM_NOT_RESERVED",
    "/art/a, TDM_RESERVED RECORDED",
    "/art/free/a.png, TDM_NOT_RESERVED",
    "/art/free/a.png?x, TDM_RESERVED RECORDED",
    "/files/%C3%BCx, TDM_RESERVED",
  })
  void the_longest_location_decides(String path, String signals) {
    assertThat(signals(FILE, path)).isEqualTo(signals);
  }

  @Test
  void locations_of_equal_length_add_up() {
    assertThat(
            signals(
                "[{\"location\":\"/a\",\"tdm-reservation\":0},"
                    + "{\"location\":\"/*\",\"tdm-reservation\":1}]",
                "/a"))
        .isEqualTo("TDM_NOT_RESERVED TDM_RESERVED");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "null", "{}", "<html>", "[", "[]", "[{\"location\":", "[{\"location\":{}}]"})
  void a_file_that_is_none_says_nothing(String file) {
    assertThat(signals(file, "/")).isEmpty();
  }

  @Test
  void what_stands_before_an_error_counts() {
    assertThat(signals("[{\"location\":\"/\",\"tdm-reservation\":1},{]", "/"))
        .isEqualTo("TDM_RESERVED");
  }

  @Test
  void deep_nesting_long_texts_and_endless_files_do_no_harm() {
    String rule = "[{\"location\":\"/\",\"tdm-reservation\":1},";
    assertThat(signals(rule + "[".repeat(200_000), "/")).isEqualTo("TDM_RESERVED");
    assertThat(signals(rule + "\"" + "x".repeat(300_000) + "\"]", "/")).isEqualTo("TDM_RESERVED");
    assertThat(signals(rule + "{},".repeat(1_000_000), "/")).isEqualTo("TDM_RESERVED");
  }

  @Test
  void any_cut_of_a_file_is_read_without_an_exception() {
    byte[] bytes = FILE.getBytes(StandardCharsets.UTF_8);
    Property.holds(
        2_000,
        draw -> {
          byte[] cut = new byte[draw.below(bytes.length + 1)];
          System.arraycopy(bytes, 0, cut, 0, cut.length);
          for (int change = draw.below(4); change > 0 && cut.length > 0; change--) {
            cut[draw.below(cut.length)] = (byte) draw.below(256);
          }
          return new String(cut, StandardCharsets.ISO_8859_1);
        },
        text ->
            assertThat(
                    TdmRepFile.read(Body.of(text.getBytes(StandardCharsets.ISO_8859_1)))
                        .wishes(CrawlUrl.of("https://site.example/art/a"))
                        .all())
                .hasSizeLessThan(5));
  }

  private static String signals(String file, String path) {
    return TdmRepFile.read(Body.of(file.getBytes(StandardCharsets.UTF_8)))
        .wishes(CrawlUrl.of("https://site.example" + path))
        .all()
        .stream()
        .map(wish -> wish.signal().name())
        .collect(Collectors.joining(" "));
  }
}
