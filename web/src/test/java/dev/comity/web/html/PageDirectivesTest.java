package dev.comity.web.html;

import static dev.comity.web.support.Pages.read;
import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.port.fetch.LinkExtractor.Extraction;
import dev.comity.core.usage.Purpose;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PageDirectivesTest {
  /** The purpose for which noindex refuses a page. */
  private static final Set<Purpose> SEARCH = Set.of(Purpose.SEARCH);

  @Test
  void a_page_that_is_not_to_be_indexed_is_kept_for_research() {
    Extraction page = read("<meta name=robots content=noindex><title>t</title>");
    assertThat(page.mayKeep()).isTrue();
    assertThat(page.reading().wishes().refusalOfPage(Purpose.USUAL)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "robots, nofollow, true, false",
    "ROBOTS, 'noindex, NoFollow', false, false",
    "robots, none, false, false",
    "comity, nofollow, true, false",
    "otherbot, none, true, true",
    "robots, 'index,follow', true, true",
    "robots, noindex follow, false, true",
    "robots, 'unavailable_after: 2026-11-15', false, true",
    "robots, 'unavailable_after: 2026-11-17', true, true",
    "robots, 'unavailable_after: Sun, 15 Nov 2026 12:00:00 GMT', false, true",
    "robots, 'unavailable_after: 2026-11-16T11:59:59Z, nofollow', false, false",
    "robots, 'unavailable_after: some day', true, true",
    "robots, 'unavailable_after', true, true",
  })
  void a_page_can_ask_not_to_be_kept_or_followed(
      String name, String content, boolean kept, boolean followed) {
    assertKept(
        read("<meta name='" + name + "' content='" + content + "'><title>t</title><a href=/x>x"),
        kept,
        followed);
  }

  @ParameterizedTest
  @CsvSource({
    "nofollow, true, false",
    "'noarchive, noindex', false, true",
    "None, false, false",
    "comity: nofollow, true, false",
    "'Comity: noindex, nofollow', false, false",
    "'otherbot: noindex, nofollow', true, true",
    "'otherbot: noindex, comity: nofollow', true, false",
    "'max-snippet: 20, nofollow', true, false",
    "'unavailable_after: 15 Nov 2026 12:00:00 GMT', false, true",
    "'unavailable_after: Sun, 15 Nov 2026 12:00:00 GMT', false, true",
    "'unavailable_after: 17 Nov 2026 12:00:00 GMT, nofollow', true, false",
    "':', true, true",
    "'', true, true",
  })
  void a_server_can_ask_the_same_in_a_header(String line, boolean kept, boolean followed) {
    assertKept(read("<title>t</title><a href=/x>x", "X-Robots-Tag: " + line), kept, followed);
  }

  @Test
  void what_is_said_in_several_places_adds_up() {
    assertKept(
        read(
            "<meta name=robots content=nofollow><meta name=comity content='index, follow'>"
                + "<title>t</title><a href=/x>x",
            "X-Robots-Tag: otherbot: none",
            "X-Robots-Tag: noindex"),
        false,
        false);
  }

  @Test
  void a_thousand_wishes_are_heard_and_no_more() {
    String wishes = "<meta name=robots content='" + "unavailable_after: x,".repeat(998);
    assertKept(read(wishes + "nofollow'><title>t</title><a href=/x>x"), true, false);
    assertKept(read(wishes + ",,nofollow'><title>t</title><a href=/x>x"), true, true);
  }

  private static void assertKept(Extraction page, boolean kept, boolean followed) {
    assertThat(page.links()).hasSize(followed ? 1 : 0);
    assertThat(page.mayKeep() && page.reading().wishes().refusalOfPage(SEARCH).isEmpty())
        .isEqualTo(kept);
  }
}
