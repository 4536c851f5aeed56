package dev.comity.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.url.CrawlUrl;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class CrawlWebTest {
  private final CrawlWeb web = new CrawlWeb(3, 200, 1, "http", 8080);

  @Test
  void the_same_seed_makes_the_same_web_and_another_one_another() {
    assertThat(new CrawlWeb(3, 200, 1, "http", 8080).html(2, 7)).isEqualTo(web.html(2, 7));
    assertThat(new CrawlWeb(3, 200, 2, "http", 8080).html(2, 7)).isNotEqualTo(web.html(2, 7));
  }

  @Test
  void pages_have_the_size_of_pages_and_are_not_alike() {
    List<String> pages = IntStream.range(0, 200).mapToObj(page -> web.html(0, page)).toList();
    assertThat(pages).doesNotHaveDuplicates();
    assertThat(pages.stream().map(String::length)).allMatch(size -> size >= 8_000 && size < 23_000);
  }

  @Test
  void every_page_but_the_first_is_named_by_its_parent_in_the_tree() {
    for (int page = 1; page < 200; page++) {
      assertThat(web.links(1, (page - 1) / 6)).contains(CrawlWeb.path(page));
    }
  }

  @Test
  void some_links_lead_to_other_hosts() {
    long away =
        IntStream.range(0, 200)
            .boxed()
            .flatMap(page -> web.links(1, page).stream())
            .filter(link -> link.startsWith("http://h0.") || link.startsWith("http://h2."))
            .count();
    // Two thirds of 15 % of 4,000: of three hosts one is their own.
    assertThat(away).isBetween(320L, 480L);
  }

  @Test
  void links_lead_to_pages_moved_pages_and_what_is_disallowed_however_they_are_spelt() {
    Set<String> targets = new LinkedHashSet<>();
    for (int host = 0; host < 3; host++) {
      for (int page = 0; page < 200; page++) {
        targets.add("http://" + web.authority(host) + CrawlWeb.path(page));
      }
    }
    List<String> others =
        IntStream.range(0, 200)
            .boxed()
            .flatMap(page -> web.links(1, page).stream().map(link -> resolved(page, link)))
            .map(CrawlUrl::toString)
            .filter(url -> !targets.contains(url))
            .toList();
    assertThat(others)
        .hasSize(44)
        .allMatch(url -> url.matches("http://h1\\.example:8080/(old|private)/\\d+"));
  }

  private static CrawlUrl resolved(int page, String link) {
    CrawlUrl base = CrawlUrl.of("http://h1.example:8080" + CrawlWeb.path(page));
    return (CrawlUrl) base.resolve(link);
  }
}
