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

class ShapedScopeTest {

  @ParameterizedTest
  @CsvSource({
    "http://a.test/docs/index.html, http://a.test/docs/, IN_SCOPE",
    "http://a.test/docs/index.html, http://a.test/docs/b/c?d, IN_SCOPE",
    "http://a.test/docs/index.html, http://a.test/, OUT_OF_SUBTREE",
    "http://a.test/docs/index.html, http://a.test/docsish/, OUT_OF_SUBTREE",
    "http://a.test/docs, http://a.test/docs/b, IN_SCOPE",
    "http://a.test/docs/, http://a.test/docs, IN_SCOPE",
    "http://a.test/docs, http://a.test/docs2, OUT_OF_SUBTREE",
    "http://a.test/, http://a.test/x, IN_SCOPE",
    "http://a.test/docs/, https://a.test/docs/b, IN_SCOPE",
    "http://a.test/docs/, http://a.test:8080/docs/b, NO_SEED_DOMAIN",
    "http://a.test/docs/, http://b.test/docs/b, NO_SEED_DOMAIN",
    "http://a.test/docs/, http://www.a.test/docs/b, IN_SCOPE",
  })
  void a_subtree_is_the_path_of_the_seed_and_below(String seed, String to, ScopeVerdict verdict) {
    CrawlUrl from = CrawlUrl.of(seed);
    Scope scope = Scope.ofSeeds(List.of(from), Grouping.BY_HOST).reaching(Reach.SUBTREE);
    assertThat(scope.judge(from, CrawlUrl.of(to), 1)).isEqualTo(verdict);
  }

  @Test
  void a_seed_that_redirects_to_its_www_host_keeps_its_subtree() {
    CrawlUrl seed = CrawlUrl.of("http://a.test/docs/");
    Scope scope = Scope.ofSeeds(List.of(seed), Grouping.BY_HOST).reaching(Reach.SUBTREE);
    CrawlUrl moved = CrawlUrl.of("https://www.a.test/docs/");
    assertThat(scope.judge(seed, moved, 0, _ -> true)).isEqualTo(ScopeVerdict.IN_SCOPE);
    assertThat(scope.judge(seed, CrawlUrl.of("https://www.a.test/"), 0, _ -> true))
        .isEqualTo(ScopeVerdict.OUT_OF_SUBTREE);
    assertThat(scope.terms()).containsEntry("scope", "subtree");
  }

  @ParameterizedTest
  @CsvSource({
    "http://a.test/?utm_source=x&id=1&UTM_medium=y, http://a.test/?id=1",
    "http://a.test/p?fbclid=1, http://a.test/p",
    "http://a.test/p?a=1&gclid=2&b=3, http://a.test/p?a=1&b=3",
    "http://a.test/p?a=1&&b=%26utm_x, http://a.test/p?a=1&&b=%26utm_x",
    "http://a.test/p?utmost=1, http://a.test/p?utmost=1",
    "http://a.test/utm_source=1, http://a.test/utm_source=1",
  })
  void tracking_parameters_are_dropped_and_the_others_stay_as_they_are(String url, String clean) {
    DroppedParameters dropped = DroppedParameters.of(List.of(DroppedParameters.TRACKING));
    assertThat(dropped.without(CrawlUrl.of(url))).hasToString(clean);
    assertThat(DroppedParameters.NONE.without(CrawlUrl.of(url))).isEqualTo(CrawlUrl.of(url));
  }

  @Test
  void dropped_parameters_belong_to_the_terms_of_a_run() {
    Scope scope = Scope.ofSeeds(List.of(), Grouping.BY_HOST);
    assertThat(scope.terms()).doesNotContainKey("drop-params");
    assertThat(scope.dropping(DroppedParameters.of(List.of("b", "A_*"))).terms())
        .containsEntry("drop-params", "a_*\nb");
    assertThatThrownBy(() -> DroppedParameters.of(List.of("a b")))
        .hasMessage(
            "drop-params has \"a b\"; write names such as fbclid, beginnings such as utm_*, or"
                + " tracking");
  }

  @Test
  void a_list_follows_redirects_and_no_links_and_keeps_none_for_later() {
    Scope scope = Scope.ofList("/home/list.txt", Grouping.BY_HOST);
    CrawlUrl from = CrawlUrl.of("http://a.test/");
    CrawlUrl to = CrawlUrl.of("http://b.test/");
    assertThat(scope.judge(from, to, 0)).isEqualTo(ScopeVerdict.NOT_FOLLOWED);
    assertThat(scope.judge(from, to, 0, _ -> true)).isEqualTo(ScopeVerdict.IN_SCOPE);
    assertThat(scope.judge(from, from, 1)).isEqualTo(ScopeVerdict.TOO_DEEP);
    assertThat(scope.isOutside(from, from, 1, _ -> true)).isFalse();
    assertThat(scope.terms()).containsEntry("list", "/home/list.txt");
  }
}
