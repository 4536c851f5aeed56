package dev.comity.core.scope;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comity.core.scope.Scope.Reach;
import dev.comity.core.scope.Scope.ScopeVerdict;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.Grouping;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScopeTest {
  private static final Scope SCOPE =
      Scope.ofSeeds(
          List.of(CrawlUrl.of("https://example.com/"), CrawlUrl.of("https://www.example.org/a")),
          Grouping.BY_HOST);

  @ParameterizedTest
  @CsvSource({
    "HOST, http://example.com/, https://example.com/b, IN_SCOPE",
    "HOST, http://example.com/, http://www.example.com/, OTHER_HOST",
    "HOST, http://example.com/, http://example.com:8080/, OTHER_HOST",
    "HOST, http://example.com:8080/, https://example.com:8080/, IN_SCOPE",
    "HOST, http://elsewhere.net/, http://elsewhere.net/b, IN_SCOPE",
    "DOMAIN, http://example.com/, https://www.example.com/, IN_SCOPE",
    "DOMAIN, http://example.com/, http://shop.example.com/, OTHER_DOMAIN",
    "DOMAIN, http://example.com/, http://example.org/, OTHER_DOMAIN",
    "DOMAIN, http://example.com/, http://example.com:8080/, OTHER_DOMAIN",
    "SEEDS, http://example.com/, http://example.org/b, IN_SCOPE",
    "SEEDS, http://example.com/, https://www.example.com/, IN_SCOPE",
    "SEEDS, http://example.com/, http://shop.example.com/, NO_SEED_DOMAIN",
    "SEEDS, http://elsewhere.net/, http://elsewhere.net/b, NO_SEED_DOMAIN",
    "ANY, http://example.com/, http://elsewhere.net/, IN_SCOPE",
  })
  void a_link_leads_as_far_as_the_reach(Reach reach, String from, String to, ScopeVerdict verdict) {
    assertThat(SCOPE.reaching(reach).judge(CrawlUrl.of(from), CrawlUrl.of(to), 1))
        .isEqualTo(verdict);
  }

  @Test
  void hosts_of_one_registered_domain_may_be_one() {
    CrawlUrl seed = CrawlUrl.of("https://a.example.co.uk/");
    Scope scope = Scope.ofSeeds(List.of(seed), Grouping.BY_REGISTRABLE_DOMAIN);
    assertThat(scope.judge(seed, CrawlUrl.of("https://b.example.co.uk/"), 1))
        .isEqualTo(ScopeVerdict.IN_SCOPE);
    assertThat(scope.judge(seed, CrawlUrl.of("https://other.co.uk/"), 1))
        .isEqualTo(ScopeVerdict.NO_SEED_DOMAIN);
    assertThat(scope.reaching(Reach.DOMAIN).judge(seed, CrawlUrl.of("https://b.example.co.uk/"), 1))
        .isEqualTo(ScopeVerdict.IN_SCOPE);
  }

  @ParameterizedTest
  @CsvSource({
    "http://example.com/blog/1, IN_SCOPE",
    "http://example.com/news/1, IN_SCOPE",
    "http://example.com/shop/1, NOT_INCLUDED",
    "http://example.com/blog/1?print=1, EXCLUDED",
    "http://elsewhere.net/blog/1, NO_SEED_DOMAIN",
  })
  void patterns_narrow_the_reach_and_exclusion_wins(String to, ScopeVerdict verdict) {
    Scope scope =
        SCOPE
            .including(List.of(UrlPattern.of("/blog/"), UrlPattern.of("/news/")))
            .excluding(List.of(UrlPattern.of("[?&]print=")));
    assertThat(scope.judge(CrawlUrl.of("http://example.com/"), CrawlUrl.of(to), 1))
        .isEqualTo(verdict);
  }

  @Test
  void a_url_may_have_2048_characters_and_not_one_more() {
    CrawlUrl from = CrawlUrl.of("http://example.com/");
    CrawlUrl longest = CrawlUrl.of("http://example.com/" + "a".repeat(2048 - 19));
    CrawlUrl longer = CrawlUrl.of(longest + "a");
    Scope scope = Scope.ofSeeds(List.of(from), Grouping.BY_HOST);
    assertThat(scope.judge(from, longest, 1)).isEqualTo(Scope.ScopeVerdict.IN_SCOPE);
    assertThat(scope.judge(from, longer, 1)).isEqualTo(Scope.ScopeVerdict.TOO_LONG);
  }

  @Test
  void the_maximum_depth_is_still_followed_and_the_next_one_is_not() {
    CrawlUrl page = CrawlUrl.of("http://example.com/");
    assertThat(SCOPE.toDepth(3).judge(page, page, 3)).isEqualTo(ScopeVerdict.IN_SCOPE);
    assertThat(SCOPE.toDepth(3).judge(page, page, 4)).isEqualTo(ScopeVerdict.TOO_DEEP);
    assertThat(SCOPE.judge(page, page, Integer.MAX_VALUE)).isEqualTo(ScopeVerdict.IN_SCOPE);
    assertThatThrownBy(() -> SCOPE.toDepth(-1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("maximum-depth -1");
  }
}
