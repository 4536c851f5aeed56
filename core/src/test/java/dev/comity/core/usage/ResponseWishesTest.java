package dev.comity.core.usage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.outcome.Headers;
import java.time.Instant;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ResponseWishesTest {
  private static final Instant NOW = Instant.parse("2026-11-16T12:00:00Z");

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "X-Robots-Tag: noai, noimageai | NO_AI NO_IMAGE_AI",
        "X-Robots-Tag: NOINDEX noarchive | NO_INDEX NO_ARCHIVE",
        "X-Robots-Tag: none | NO_INDEX",
        "X-Robots-Tag: noml,noimageindex,nosnippet | NO_ML NO_IMAGE_INDEX RECORDED",
        "X-Robots-Tag: unavailable_after: 17 Nov 2026 12:00:00 GMT | RECORDED",
        "X-Robots-Tag: otherbot: noai | ''",
        "X-Robots-Tag: otherbot: noai, Comity: noml | NO_ML",
        "X-Robots-Tag: comity: noai | NO_AI",
        "X-Robots-Tag: index, follow, max-snippet:-1 | ''",
        "Content-Usage: train-ai=n | USAGE_NO_TRAINING",
        "Content-Signal: ai-input=no | SIGNAL_NO_AI_INPUT",
        "TDM-Reservation: 1 | TDM_RESERVED",
        "tdm-policy: https://site.example/policy.json | RECORDED",
      })
  void a_header_states_wishes(String line, String signals) {
    assertThat(signals(ResponseWishes.ofHeader(headers(line)::all, "Comity", NOW)))
        .isEqualTo(signals);
  }

  @Test
  void header_lines_and_meta_elements_add_up() {
    ResponseWishes read = new ResponseWishes("Comity", NOW);
    read.header(headers("X-Robots-Tag: noarchive", "Content-Usage: search=y")::all);
    read.meta("Robots", "noai");
    read.meta("comity", "noml");
    read.meta("otherbot", "noindex");
    read.meta("TDM-Reservation", "1");
    read.meta("tdm-policy", "/policy");
    read.meta("tdm-other", "1");
    assertThat(signals(read.wishes()))
        .isEqualTo("NO_ARCHIVE NO_AI NO_ML PERMITS_SEARCH TDM_RESERVED RECORDED");
    assertThat(read.mayKeep()).isTrue();
    assertThat(read.wishes().refusalOfPage(Set.of(Purpose.RESEARCH)))
        .hasToString("Optional[refused for research: the page says \"tdm-reservation: 1\"]");
  }

  @Test
  void a_flood_of_lines_does_not_hide_what_the_page_says() {
    Headers.Draft draft = new Headers.Draft();
    for (int line = 0; line < 10_000; line++) {
      draft.add("Content-Signal", "a%1$d=b, c%1$d=d, e%1$d=f".formatted(line));
    }
    ResponseWishes read = new ResponseWishes("Comity", NOW);
    read.header(draft.done()::all);
    read.meta("tdm-reservation", "1");
    assertThat(read.wishes().refusalOfPage(Set.of(Purpose.RESEARCH))).isPresent();
    assertThat(read.wishes().all()).hasSize(Wishes.MOST_RECORDED + 1);
  }

  private static Headers headers(String... lines) {
    Headers.Draft draft = new Headers.Draft();
    for (String line : lines) {
      String[] halves = line.split(": ", 2);
      draft.add(halves[0], halves[1]);
    }
    return draft.done();
  }

  private static String signals(Wishes wishes) {
    return wishes.all().stream().map(wish -> wish.signal().name()).collect(Collectors.joining(" "));
  }
}
