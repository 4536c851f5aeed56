package dev.comity.web.html;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.web.html.LinkHeader.LinkValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The small languages in which pages refer to others. */
class PageReferencesTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "5; url=/next | /next",
        "0;URL = \"/next\" more | /next",
        "0,'/next | /next",
        "0 /next | /next",
        ".5;url=/next | /next",
        "1.5 ; Url='/a b' | /a b",
        "0;url | url",
        "5 | ",
        "5; | ",
        "url=/next | ",
        "x; url=/next | ",
        "'' | ",
      })
  void a_refresh_is_read_by_the_standard(String content, String target) {
    assertThat(MetaRefresh.target(content == null ? "" : content).orElse(null)).isEqualTo(target);
  }

  @Test
  void a_link_header_is_read_by_its_grammar() {
    assertThat(
            LinkHeader.links(
                "</a>; rel=\"next start\"; title=\"x, <y>; rel=prev\" , <b,c> ;REL=Prev;rel=next,"
                    + "<d>,</e>;rel=next;anchor=\"#x\", <f>; rel=\"\\n\\e\\x\\t\""))
        .containsExactly(
            new LinkValue("/a", "next start"),
            new LinkValue("b,c", "prev"),
            new LinkValue("d", ""),
            new LinkValue("/e", ""),
            new LinkValue("f", "next"));
    assertThat(LinkHeader.links("nonsense, </a>; rel=next")).isEmpty();
    assertThat(LinkHeader.links("</a>; rel=next, </unclosed; rel=next"))
        .containsExactly(new LinkValue("/a", "next"));
    assertThat(LinkHeader.links("</a>; rel=\"open")).containsExactly(new LinkValue("/a", "open"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a&amp;b | a&b | a&b",
        "a&ampb | a&b | a&ampb",
        "?a=1&copy=2 | ?a=1©=2 | ?a=1&copy=2",
        "&copy; &copy &copyx | © © ©x | © © &copyx",
        "&notit; | ¬it; | &notit;",
        "&notin; | ∉ | ∉",
        "&NotEqualTilde; | ≂̸ | ≂̸",
        "&#65;&#x42;&#X43 D | ABC D | ABC D",
        "&#128;&#150; | €– | €–",
        "&#xD800;&#0;&#x110000;&#99999999999; | ���� | ����",
        "&#; &#x; & &; &nosuch; | &#; &#x; & &; &nosuch; | &#; &#x; & &; &nosuch;",
      })
  void character_references_are_read_by_the_standard(String text, String asText, String asValue) {
    assertThat(Pages.read(text).text()).isEqualTo(asText);
    assertThat(References.inAttribute(text)).isEqualTo(asValue);
  }
}
