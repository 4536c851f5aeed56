package dev.comity.store.crawl;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.url.CrawlUrl;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SeenHintsTest {
  private final SeenHints hints = new SeenHints(64);

  private static CrawlUrl url(int number) {
    return CrawlUrl.of("http://site.example/" + number);
  }

  @Test
  void knowsWhatItWasToldAndNothingElse() {
    IntStream.range(0, 1000).filter(number -> number % 2 == 0).forEach(n -> hints.know(url(n)));
    assertThat(IntStream.range(0, 1000).filter(n -> hints.surelyKnows(url(n))))
        .isNotEmpty()
        .allMatch(number -> number % 2 == 0);
  }

  @Test
  void holdsAsManyAsItHasPlaces() {
    List<CrawlUrl> many = IntStream.range(0, 10_000).mapToObj(SeenHintsTest::url).toList();
    many.forEach(hints::know);
    assertThat(many.stream().filter(hints::surelyKnows)).hasSize(64);
  }

  @Test
  void whatIsMetOftenOutlastsAnyNumberOfStrangers() {
    CrawlUrl home = url(0);
    hints.know(home);
    assertThat(hints.surelyKnows(home)).isTrue();
    for (int stranger = 1; stranger < 10_000; stranger++) {
      hints.know(url(stranger));
      assertThat(hints.surelyKnows(home)).isTrue();
    }
  }

  @Test
  void whatIsMetMovesUpFromTheLastPlace() {
    IntStream.range(1, 1000).forEach(number -> hints.know(url(number)));
    CrawlUrl late = url(0);
    hints.know(late);
    assertThat(hints.surelyKnows(late)).isTrue();
    IntStream.range(1000, 2000).forEach(number -> hints.know(url(number)));
    assertThat(hints.surelyKnows(late)).as("moved out of the newcomers' place").isTrue();
  }
}
