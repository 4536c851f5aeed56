package dev.comity.testkit.usage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.outcome.Headers;
import dev.comity.core.usage.EmbeddedRights;
import dev.comity.core.usage.Purpose;
import dev.comity.core.usage.ResponseWishes;
import dev.comity.core.usage.UsageLines;
import dev.comity.core.usage.Wish;
import dev.comity.core.usage.Wish.FoundIn;
import dev.comity.core.usage.Wishes;
import dev.comity.core.usage.Wishes.Preference;
import dev.comity.testkit.gen.Draw;
import dev.comity.testkit.gen.Property;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class UsageProperties {
  private static final Instant NOW = Instant.parse("2026-11-16T12:00:00Z");
  private static final List<String> PIECES =
      List.of(
          "train-ai",
          "search",
          "ai-use",
          "ai-train",
          "ai-input",
          "bots",
          "=",
          "n",
          "y",
          "no",
          "yes",
          "?0",
          "?1",
          ",",
          ", ",
          ";",
          "(",
          ")",
          "\"",
          "\\",
          ":",
          "@",
          "%",
          "*",
          "-",
          "1",
          "1.5",
          " ",
          "\t",
          "noai",
          "noindex",
          "none",
          "noimageai",
          "noml",
          "comity:",
          "otherbot: ",
          "unavailable_after",
          "2026-11-15",
          "DMI-PROHIBITED",
          "\u0000",
          "\u0130",
          "\u202e",
          "\ud800",
          "\u00ff",
          "x".repeat(200));

  @Test
  void any_text_gives_wishes_that_are_bounded_and_printable() {
    Property.holds(
        20_000,
        UsageProperties::text,
        text -> {
          Headers.Draft headers = new Headers.Draft();
          for (String name :
              List.of("x-robots-tag", "content-usage", "content-signal", "tdm-reservation")) {
            headers.add(name, text);
          }
          ResponseWishes read = new ResponseWishes("Comity", NOW);
          read.header(headers.done()::all);
          read.meta("robots", text);
          read.meta("tdm-policy", text);
          List<Wish> all = new ArrayList<>(read.wishes().all());
          all.add(EmbeddedRights.dataMining(text));
          assertThat(all.size()).isLessThan(100);
          for (Wish wish : all) {
            assertThat(wish.words().length()).isLessThanOrEqualTo(100);
            assertThat(wish.words().chars().noneMatch(Character::isISOControl)).isTrue();
          }
        });
  }

  @Test
  void one_refusal_decides_whatever_else_is_said_and_in_whatever_order() {
    Property.holds(
        5_000,
        UsageProperties::wishes,
        wishes -> {
          List<Wish> reversed = new ArrayList<>(wishes);
          Collections.reverse(reversed);
          for (Purpose purpose : Purpose.values()) {
            boolean refused = wishes.stream().anyMatch(wish -> wish.signal().refuses(purpose));
            boolean permitted = wishes.stream().anyMatch(wish -> wish.signal().permits(purpose));
            Preference expected =
                refused
                    ? Preference.REFUSED
                    : permitted ? Preference.PERMITTED : Preference.UNKNOWN;
            assertThat(Wishes.of(wishes).preference(purpose)).isEqualTo(expected);
            assertThat(Wishes.of(reversed).preference(purpose)).isEqualTo(expected);
            assertThat(Wishes.of(wishes).refusalOfImage(Set.of(purpose)).isPresent())
                .isEqualTo(refused);
          }
        });
  }

  @Test
  void more_wishes_never_lift_a_refusal() {
    Property.holds(
        2_000,
        draw -> List.of(wishes(draw), wishes(draw)),
        both -> {
          Wishes first = Wishes.of(both.getFirst());
          Wishes together = first.and(Wishes.of(both.getLast()));
          Set<Purpose> all = Set.of(Purpose.values());
          if (first.refusalOfPage(all).isPresent()) {
            assertThat(together.refusalOfPage(all)).isPresent();
          }
        });
  }

  private static String text(Draw draw) {
    StringBuilder text = new StringBuilder();
    for (int piece = draw.logUniform(60); piece > 0; piece--) {
      text.append(draw.from(PIECES));
    }
    return text.toString();
  }

  private static List<Wish> wishes(Draw draw) {
    List<Wish> wishes = new ArrayList<>();
    for (int line = draw.below(4); line > 0; line--) {
      FoundIn origin = draw.from(List.of(FoundIn.values()));
      String answer = draw.from(List.of("y", "n", "x"));
      wishes.addAll(
          switch (draw.below(4)) {
            case 0 ->
                UsageLines.contentUsage(
                    draw.from(List.of("search", "train-ai", "ai-use", "bots")) + "=" + answer,
                    origin);
            case 1 ->
                UsageLines.contentSignal(
                    draw.from(List.of("search", "ai-train", "ai-input")) + "=" + answer, origin);
            case 2 -> List.of(UsageLines.tdmReservation(draw.below(3) + "", origin));
            default ->
                List.of(
                    EmbeddedRights.dataMining(
                        draw.from(List.of("DMI-ALLOWED", "DMI-PROHIBITED-AIMLTRAINING", ""))));
          });
    }
    return wishes;
  }
}
