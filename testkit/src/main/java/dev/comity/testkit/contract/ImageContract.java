package dev.comity.testkit.contract;

import static dev.comity.testkit.contract.Moves.NOON;
import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.outcome.Body;
import dev.comity.core.outcome.Kind;
import dev.comity.core.policy.DomainState;
import dev.comity.core.port.image.ImageFacts;
import dev.comity.core.port.image.ImageMode;
import dev.comity.core.port.run.Outlook;
import dev.comity.core.port.run.Run;
import dev.comity.core.port.run.RunTerms;
import dev.comity.core.port.run.Wanted;
import dev.comity.core.port.store.Claim;
import dev.comity.core.port.store.Ending;
import dev.comity.core.port.store.Frontier.Next;
import dev.comity.core.port.store.ImageFinds;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.port.store.Settlement;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.usage.Wishes;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Images: entries of their own hosts, a budget of their own, and no pages. */
public interface ImageContract extends StoreUnderTest {
  private Moves moves(String... urls) {
    return Moves.on(store(StoreShape.USUAL)).seeded(urls);
  }

  private static ImageFacts facts() {
    return new ImageFacts(
        Body.of(new byte[32]),
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
        ImageFinds.taken(facts()));
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
