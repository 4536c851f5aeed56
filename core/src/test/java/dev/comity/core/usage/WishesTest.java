package dev.comity.core.usage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.usage.Wish.FoundIn;
import dev.comity.core.usage.Wishes.Preference;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class WishesTest {
  private static final Wish NO_TRAINING =
      new Wish(UsageSignal.USAGE_NO_TRAINING, FoundIn.HEADER, "Content-Usage: train-ai=n");
  private static final Wish TRAINING =
      new Wish(UsageSignal.PERMITS_TRAINING, FoundIn.ROBOTS_TXT, "Content-Signal: ai-train=yes");

  @Test
  void a_refusal_outweighs_a_permission_and_silence_is_unknown() {
    assertThat(Wishes.NONE.preference(Purpose.TRAIN_AI)).isEqualTo(Preference.UNKNOWN);
    assertThat(wishes(TRAINING).preference(Purpose.TRAIN_AI)).isEqualTo(Preference.PERMITTED);
    assertThat(wishes(TRAINING, NO_TRAINING).preference(Purpose.TRAIN_AI))
        .isEqualTo(Preference.REFUSED);
    assertThat(wishes(NO_TRAINING, TRAINING).preference(Purpose.TRAIN_AI))
        .isEqualTo(Preference.REFUSED);
    assertThat(wishes(NO_TRAINING, TRAINING).preference(Purpose.SEARCH))
        .isEqualTo(Preference.UNKNOWN);
  }

  @Test
  void of_several_purposes_one_that_is_refused_is_enough_and_the_reason_names_it() {
    Wishes wishes = wishes(TRAINING, NO_TRAINING);
    assertThat(wishes.refusalOfPage(Set.of(Purpose.SEARCH, Purpose.RESEARCH))).isEmpty();
    assertThat(wishes.refusalOfPage(Set.of(Purpose.SEARCH, Purpose.TRAIN_AI)))
        .hasToString(
            "Optional[refused for train-ai: the response header says"
                + " \"Content-Usage: train-ai=n\"]");
    assertThat(wishes.refusalOfPage(Set.of())).isEmpty();
  }

  @Test
  void what_a_page_says_of_its_images_does_not_refuse_the_page() {
    Wishes page =
        wishes(new Wish(UsageSignal.NO_IMAGE_INDEX, FoundIn.META, "robots: noimageindex"));
    assertThat(page.refusalOfPage(Set.of(Purpose.RESEARCH))).isEmpty();
    assertThat(page.forImages().refusalOfImage(Set.of(Purpose.RESEARCH))).isPresent();
  }

  @Test
  void what_a_page_says_of_itself_alone_does_not_refuse_its_images() {
    Wishes page =
        wishes(
            new Wish(UsageSignal.NO_INDEX, FoundIn.META, "robots: noindex"),
            new Wish(UsageSignal.NO_ARCHIVE, FoundIn.META, "robots: noarchive"),
            new Wish(UsageSignal.NO_AI, FoundIn.META, "robots: noai"));
    assertThat(page.refusalOfPage(Set.of(Purpose.SEARCH))).isPresent();
    assertThat(page.forImages().refusalOfImage(Set.of(Purpose.SEARCH, Purpose.ARCHIVE))).isEmpty();
    assertThat(page.forImages().refusalOfImage(Set.of(Purpose.TRAIN_AI))).isPresent();
  }

  @Test
  void an_image_s_own_words_all_count_for_it() {
    Wishes image = wishes(new Wish(UsageSignal.NO_INDEX, FoundIn.HEADER, "X-Robots-Tag: noindex"));
    assertThat(image.refusalOfImage(Set.of(Purpose.SEARCH))).isPresent();
  }

  @Test
  void a_reservation_in_the_response_replaces_that_of_the_file() {
    Wishes file = wishes(new Wish(UsageSignal.TDM_RESERVED, FoundIn.TDMREP_FILE, "1"));
    Wishes open = wishes(new Wish(UsageSignal.TDM_NOT_RESERVED, FoundIn.HEADER, "0"));
    Set<Purpose> research = Set.of(Purpose.RESEARCH);
    assertThat(open.after(file).refusalOfPage(research)).isEmpty();
    assertThat(wishes(NO_TRAINING).after(file).refusalOfPage(research)).isPresent();
    assertThat(file.after(open).refusalOfPage(research)).isPresent();
  }

  @Test
  void a_signal_counts_once_for_each_place_and_few_others_are_recorded() {
    List<Wish> many = new ArrayList<>();
    for (int each = 0; each < 10_000; each++) {
      many.add(new Wish(UsageSignal.RECORDED, FoundIn.HEADER, "word " + each));
      many.add(new Wish(UsageSignal.NO_AI, FoundIn.HEADER, "noai " + each));
    }
    many.add(NO_TRAINING);
    Wishes kept = Wishes.of(many);
    assertThat(kept.all()).hasSize(Wishes.MOST_RECORDED + 2).contains(NO_TRAINING);
    assertThat(kept.and(kept).all()).isEqualTo(kept.all());
    assertThat(kept.and(Wishes.NONE)).isSameAs(kept);
  }

  @Test
  void foreign_words_are_printable_and_short() {
    Wish wish =
        new Wish(UsageSignal.NO_AI, FoundIn.META, "a\u001b[2J\u202e\ud800" + "x".repeat(1_000_000));
    assertThat(wish.words()).startsWith("a\\u001B[2J\\u202E\\uD800x").hasSize(100);
    assertThat(Optional.of(wish).map(Wish::toString).orElseThrow())
        .startsWith("the page says \"a\\u001B");
  }

  private static Wishes wishes(Wish... wishes) {
    return Wishes.of(List.of(wishes));
  }
}
