package dev.comity.web.html;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.comity.testkit.gen.Draw;
import dev.comity.web.support.Pages;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PageCharsetTest {

  @ParameterizedTest
  @CsvSource({
    "text/html; charset=utf-8, UTF-8, ''",
    "text/html; Charset=\"iso-8859-1\", windows-1252, ''",
    "text/html; charset=' latin1 ', windows-1252, ''",
    "text/html; charset=windows-1251, windows-1251, '<meta charset=utf-8>'",
    "text/html; charset=utf-16, UTF-16LE, ''",
    "text/html, windows-1251, '<meta charset=windows-1251>'",
    "text/html, windows-1251, '<meta http-equiv=content-type content=''x; charset = cp1251''>'",
    "text/html, UTF-8, '<meta charset=utf-16>'",
    "text/html, windows-1251, '<meta charset=klingon><meta charset=x-cp1251>'",
    "text/html, UTF-8, '<!-- <meta charset=windows-1251> -->'",
    "text/html, windows-1251, '<?xml version=\"1.0\" encoding=\"windows-1251\"?>'",
    "text/html, UTF-8, ''",
    "text/html, windows-1252, ''",
    "text/html; charset=klingon, windows-1251, '<meta charset=windows-1251>'",
    "text/html; charset=utf-7, windows-1251, '<meta charset=windows-1251>'",
    "text/html; charset=!!, UTF-8, '<meta charset=klingon>'",
    "text/html; charset=, UTF-8, ''",
    "text/html; charset=gb2312, GB18030, ''",
    "text/html; charset=x-sjis, windows-31j, ''",
    "text/html; charset=ks_c_5601-1987, x-windows-949, ''",
    "text/html; charset=iso-2022-jp, ISO-2022-JP, ''",
  })
  void the_header_tells_the_charset_then_the_page_then_a_guess(
      String type, String written, String start) {
    Charset charset = Charset.forName(written);
    String word =
        List.of("Привет", "déjà", "漢字", "한글").stream()
            .filter(text -> new String(text.getBytes(charset), charset).equals(text))
            .findFirst()
            .orElseThrow();
    byte[] bytes = (start + "<title>" + word + "</title>").getBytes(charset);
    assertThat(Pages.read(type, bytes).title()).contains(word);
  }

  @Test
  void a_byte_order_mark_outranks_the_header() {
    for (Charset charset :
        List.of(StandardCharsets.UTF_8, StandardCharsets.UTF_16LE, StandardCharsets.UTF_16BE)) {
      byte[] bytes = "\uFEFF<meta charset=ascii><title>déjà</title>".getBytes(charset);
      assertThat(Pages.read("text/html; charset=windows-1251", bytes).title()).contains("déjà");
    }
  }

  @Test
  void a_meta_element_counts_as_long_as_it_is_near_the_start() {
    String meta = "<meta charset=windows-1251><title>Привет</title>";
    assertThat(title("<!--" + "x".repeat(3_000) + "-->" + meta)).contains("Привет");
    assertThat(title("<!--" + "x".repeat(20_000) + "-->" + meta))
        .isPresent()
        .get()
        .isNotEqualTo("Привет");
  }

  private static Optional<String> title(String html) {
    return Pages.read("text/html", html.getBytes(Charset.forName("windows-1251"))).title();
  }

  @ParameterizedTest
  @CsvSource({"iso-2022-kr", "hz-gb-2312", "ISO-2022-CN-ext", "replacement"})
  void charsets_that_only_deceive_are_not_read(String label) {
    byte[] bytes = "<title>x</title><a href=/y>z".getBytes(StandardCharsets.UTF_8);
    assertThat(Pages.read("text/html; charset=" + label, bytes).links()).isEmpty();
    assertThat(Pages.read("text/html; charset=" + label, bytes).title()).isEmpty();
  }

  @Test
  void a_replacement_character_of_its_own_makes_a_page_no_less_utf_8() {
    byte[] bytes = "<title>déjà \ufffd</title>".getBytes(StandardCharsets.UTF_8);
    assertThat(Pages.read("text/html", bytes).title()).contains("déjà \ufffd");
  }

  @Test
  void bytes_that_are_not_what_is_said_of_them_are_still_a_page() {
    List<String> labels =
        List.of(
            "utf-8",
            "utf-16be",
            "gb18030",
            "big5",
            "euc-jp",
            "iso-2022-jp",
            "shift_jis",
            "euc-kr",
            "windows-1255",
            "x-user-defined",
            "koi8-u",
            "macintosh",
            "x-mac-cyrillic");
    Draw draw = Draw.of(20_261_116);
    for (int round = 0; round < 2_000; round++) {
      byte[] bytes = new byte[draw.below(200)];
      for (int at = 0; at < bytes.length; at++) {
        bytes[at] = (byte) (draw.onceIn(4) ? draw.below(128) : draw.below(256));
      }
      String type = "text/html; charset=" + draw.from(labels);
      assertThatCode(() -> Pages.read(type, bytes)).doesNotThrowAnyException();
    }
  }

  @Test
  void every_charset_of_the_table_can_be_read_here() {
    assertThat(
            List.of(
                "ibm866",
                "l2",
                "latin3",
                "latin4",
                "cyrillic",
                "arabic",
                "greek",
                "logical",
                "iso-8859-13",
                "l9",
                "iso-8859-16",
                "koi8",
                "koi8-ru",
                "mac",
                "tis-620",
                "gbk",
                "x-mac-ukrainian",
                "big5",
                "sjis",
                "korean",
                "cseuckr",
                "ucs-2"))
        .allSatisfy(label -> assertThat(CharsetLabels.charset(label)).isPresent());
    assertThat(CharsetLabels.charset("utf-7")).isEmpty();
    assertThat(CharsetLabels.charset("iso-8859-10")).isEmpty();
  }
}
