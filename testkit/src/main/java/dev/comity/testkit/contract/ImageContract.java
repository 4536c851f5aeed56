package dev.comity.testkit.contract;

import static dev.comity.testkit.contract.Moves.NOON;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comity.core.outcome.Body;
import dev.comity.core.outcome.Kind;
import dev.comity.core.policy.DomainState;
import dev.comity.core.port.fetch.ImageRef;
import dev.comity.core.port.fetch.ImageSighting;
import dev.comity.core.port.image.ImageFacts;
import dev.comity.core.port.image.ImageMode;
import dev.comity.core.port.run.Outlook;
import dev.comity.core.port.run.Run;
import dev.comity.core.port.run.RunEnding;
import dev.comity.core.port.run.RunTerms;
import dev.comity.core.port.run.Wanted;
import dev.comity.core.port.store.Claim;
import dev.comity.core.port.store.ClaimLost;
import dev.comity.core.port.store.CrawlStore;
import dev.comity.core.port.store.Ending;
import dev.comity.core.port.store.Frontier.Next;
import dev.comity.core.port.store.ImageFinds;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.port.store.Settlement;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.DomainName;
import dev.comity.core.usage.Wishes;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Images: entries of their own hosts, a budget of their own, and no pages. */
public interface ImageContract extends StoreUnderTest {
  private Moves moves(String... urls) {
    return Moves.on(store(StoreShape.USUAL)).seeded(urls);
  }

  /** The budget of a run that no test spends. */
  RunTerms COLLECTING = Moves.TERMS.collecting(ImageMode.METADATA, 100);

  private static ImageFacts facts(String content) {
    return new ImageFacts(
        Body.of(Arrays.copyOf(content.getBytes(StandardCharsets.UTF_8), 32)),
        "image/png",
        "png",
        9,
        OptionalInt.of(64),
        OptionalInt.of(64),
        OptionalLong.empty(),
        Wishes.NONE,
        false);
  }

  private static QueuedUrl take(Moves moves, Claim claim, Wanted wanted) {
    Next next = moves.store().frontier().next(claim, NOON, wanted);
    assertThat(next).isInstanceOf(Next.Ready.class);
    return ((Next.Ready) next).entry();
  }

  private static Settlement taken(QueuedUrl image) {
    return taken(image, "");
  }

  private static Settlement taken(QueuedUrl image, String content) {
    DomainState state = Moves.POLICY.claimed(DomainState.FRESH, NOON);
    Settlement asked = Moves.asked(image, Moves.DONE, state);
    return new Settlement(
        asked.entry(),
        asked.attempt(),
        asked.fetched(),
        asked.fate(),
        asked.state(),
        List.of(),
        asked.page(),
        List.of(),
        ImageFinds.taken(facts(content)));
  }

  /** A page of a claimed domain shows these images. */
  private static void show(CrawlStore store, Claim claim, QueuedUrl page, String... urls) {
    List<CrawlUrl> images = Arrays.stream(urls).map(CrawlUrl::of).toList();
    Settlement read =
        Moves.asked(
            page,
            Moves.DONE,
            Moves.POLICY.claimed(claim.state(), NOON),
            images.stream().map(page::image).toArray(QueuedUrl[]::new));
    store.settle(
        claim,
        List.of(
            new Settlement(
                read.entry(),
                read.attempt(),
                read.fetched(),
                read.fate(),
                read.state(),
                read.found(),
                read.page(),
                List.of(),
                new ImageFinds(
                    images.size(),
                    images.stream().map(ImageContract::sighting).toList(),
                    Optional.empty()))));
  }

  private static ImageSighting sighting(CrawlUrl image) {
    return new ImageSighting(
        image,
        ImageRef.Source.IMG,
        "",
        "",
        "",
        "",
        "",
        "",
        OptionalInt.empty(),
        OptionalInt.empty(),
        Optional.empty(),
        Optional.empty(),
        "",
        "");
  }

  private static long images(TwoWorkers two, String domain) {
    return two.reports().domain(new DomainName(domain)).orElseThrow().images();
  }

  /** Claims the one domain that has images, and takes them all. */
  private static Claim takeAll(Moves moves, Function<QueuedUrl, String> content) {
    Claim claim = moves.store().claim(1, NOON, Wanted.IMAGES).getFirst();
    while (moves.store().frontier().next(claim, NOON, Wanted.IMAGES)
        instanceof Next.Ready(var image)) {
      moves.store().settle(claim, taken(image, content.apply(image)));
    }
    return claim;
  }

  @Test
  default void an_image_counts_once_by_content_for_each_domain_whose_pages_show_it() {
    TwoWorkers two = TwoWorkers.of(this, COLLECTING, "http://a.example/1", "http://a.example/2");
    Claim first = two.claim();
    String oak = "http://cdn.example/oak.png";
    show(two.store(), first, two.one().take(first), oak, "http://cdn.example/copy.png");
    show(two.store(), first, two.one().take(first), oak, "http://cdn.example/elm.png");
    assertThat(images(two, "a.example")).isZero();

    Claim cdn =
        takeAll(two.other(), image -> image.url().target().equals("/elm.png") ? "elm" : "oak");
    assertThat(cdn.domain().name()).isEqualTo("cdn.example");
    assertThat(images(two, "a.example")).isEqualTo(2);
    assertThat(images(two, "cdn.example")).isZero();
    two.other().stop(cdn);
    two.one().stop(first);
    assertThat(images(two, "a.example")).isEqualTo(2);

    // A page that shows a known image counts it at once, and its domain counts it for itself.
    two.one().seeded("http://b.example/");
    Claim second = two.claim();
    assertThat(second.domain().name()).isEqualTo("b.example");
    show(two.store(), second, two.one().take(second), oak);
    assertThat(images(two, "b.example")).isEqualTo(1);
    assertThat(images(two, "a.example")).isEqualTo(2);
    two.one().stop(second);
    assertThat(images(two, "b.example")).isEqualTo(1);
  }

  @Test
  default void of_domains_that_are_due_the_one_with_the_best_yield_is_refreshed_first() {
    Moves moves = moves("http://a.example/", "http://b.example/");
    moves.store().begin(COLLECTING, NOON);
    for (Claim claim : moves.store().claim(2, NOON)) {
      QueuedUrl page = take(moves, claim, Wanted.PAGES);
      if (claim.domain().name().equals("b.example")) {
        show(moves.store(), claim, page, "http://b.example/oak.png");
        moves.store().settle(claim, taken(take(moves, claim, Wanted.IMAGES), "oak"));
      } else {
        show(moves.store(), claim, page);
      }
      moves.store().release(claim, Moves.exhausted(claim), new Ending.Exhausted(), NOON);
    }
    moves.store().end(RunEnding.FINISHED, NOON);
    Instant later = NOON.plus(Duration.ofDays(15));
    moves.store().begin(Moves.TERMS.refreshing(List.of()), later);
    assertThat(moves.claimInTurn(2, later)).containsExactly("b.example", "a.example");
  }

  @Test
  default void an_image_settled_under_a_lost_claim_is_no_image() {
    TwoWorkers two = TwoWorkers.of(this, COLLECTING, "http://a.example/");
    Claim source = two.claim();
    show(two.store(), source, two.one().take(source), "http://cdn.example/oak.png");
    two.one().store().release(source, Moves.exhausted(source), new Ending.Exhausted(), NOON);
    Claim old = two.store().claim(1, NOON, Wanted.IMAGES).getFirst();
    QueuedUrl image = take(two.one(), old, Wanted.IMAGES);
    two.clock().set(NOON.plus(TwoWorkers.SHORT));
    Claim present = two.other().store().claim(1, NOON, Wanted.IMAGES).getFirst();
    assertThat(present.takenOver()).isTrue();

    assertThatThrownBy(() -> two.store().settle(old, taken(image, "oak")))
        .isInstanceOf(ClaimLost.class);
    assertThat(images(two, "a.example")).isZero();
    assertThat(two.other().store().begin(COLLECTING, NOON).images()).isZero();

    QueuedUrl again = take(two.other(), present, Wanted.IMAGES);
    assertThat(again.url()).isEqualTo(image.url());
    two.other().store().settle(present, taken(again, "oak"));
    assertThat(images(two, "a.example")).isEqualTo(1);
    assertThat(two.other().store().begin(COLLECTING, NOON).images()).isEqualTo(1);
  }

  @Test
  default void a_domain_with_images_alone_is_no_work_for_pages_and_a_new_page_makes_it_one() {
    TwoWorkers two = TwoWorkers.of(this, COLLECTING, "http://a.example/");
    Claim claim = two.claim();
    show(two.store(), claim, two.one().take(claim), "http://a.example/1.png");
    two.one().release(claim, new Ending.RunOutOfBudget());
    assertThat(two.store().claim(9, NOON, Wanted.PAGES)).isEmpty();
    assertThat(two.store().outlook(NOON, Wanted.PAGES)).isInstanceOf(Outlook.Nothing.class);
    assertThat(two.store().end(RunEnding.FINISHED, NOON)).isFalse();

    two.one().seeded("http://a.example/new");
    assertThat(two.store().outlook(NOON, Wanted.PAGES)).isInstanceOf(Outlook.At.class);
    Claim again = two.store().claim(9, NOON, Wanted.PAGES).getFirst();
    assertThat(take(two.one(), again, Wanted.PAGES).url().target()).isEqualTo("/new");
  }

  @Test
  default void images_that_a_run_has_left_keep_no_run_without_images_from_its_end() {
    TwoWorkers two = TwoWorkers.of(this, COLLECTING, "http://a.example/");
    Claim claim = two.claim();
    show(two.store(), claim, two.one().take(claim), "http://a.example/1.png");
    two.one().release(claim, new Ending.RunOutOfBudget());
    two.store().end(RunEnding.OUT_OF_IMAGES, NOON);
    two.store().begin(Moves.TERMS, NOON);
    assertThat(two.store().claim(9, NOON, Wanted.PAGES)).isEmpty();
    assertThat(two.store().end(RunEnding.FINISHED, NOON)).isTrue();
  }

  @Test
  default void a_domain_gives_the_kind_of_url_that_is_wanted() {
    Moves moves = moves("http://a.example/");
    CrawlUrl image = CrawlUrl.of("http://a.example/1.png");
    moves.store().add(List.of(QueuedUrl.seedImage(image)), NOON);
    Claim claim = moves.claimOne();
    assertThat(take(moves, claim, Wanted.IMAGES).kind()).isEqualTo(Kind.IMAGE);
    assertThat(moves.store().frontier().next(claim, NOON, Wanted.IMAGES))
        .isEqualTo(new Next.Empty());
    assertThat(take(moves, claim, Wanted.PAGES).kind()).isEqualTo(Kind.PAGE);
    assertThat(moves.store().frontier().next(claim, NOON, Wanted.ANY)).isEqualTo(new Next.Empty());
  }

  @Test
  default void only_a_domain_with_images_is_claimed_for_them() {
    Moves moves = moves("http://a.example/", "http://b.example/");
    CrawlUrl image = CrawlUrl.of("http://b.example/1.png");
    moves.store().add(List.of(QueuedUrl.seedImage(image)), NOON);
    assertThat(moves.store().outlook(NOON, Wanted.IMAGES)).isInstanceOf(Outlook.At.class);
    List<Claim> claims = moves.store().claim(9, NOON, Wanted.IMAGES);
    assertThat(claims).extracting(claim -> claim.domain().name()).containsExactly("b.example");
    assertThat(claims).noneMatch(Claim::imagesOnly);
  }

  @Test
  default void the_budget_of_images_is_drawn_in_portions_and_kept_by_the_run() {
    Moves moves = moves("http://a.example/");
    RunTerms terms = Moves.TERMS.collecting(ImageMode.METADATA, 1);
    moves.store().begin(terms, NOON);
    moves.store().add(List.of(QueuedUrl.seedImage(CrawlUrl.of("http://a.example/1.png"))), NOON);
    Claim claim = moves.claimOne();
    assertThat(moves.store().drawImages(5).granted()).isEqualTo(1);
    assertThat(moves.store().drawImages(5).granted()).isZero();
    Settlement image = taken(take(moves, claim, Wanted.IMAGES));
    assertThat(image.isPage()).isFalse();
    assertThat(image.isImage()).isTrue();
    moves.store().settle(claim, image);
    moves.store().release(claim, image.state(), new Ending.Stopped(), NOON);
    Run again = moves.store().begin(terms, NOON);
    assertThat(again.continued()).isTrue();
    assertThat(again.images()).isEqualTo(1);
    assertThat(again.pages()).isZero();
    assertThat(moves.store().drawImages(5).spent()).isTrue();
  }
}
