package dev.comity.core.trap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.trap.support.Walk;
import dev.comity.core.trap.support.Walk.Page;
import dev.comity.core.url.CrawlUrl;
import java.time.Instant;
import java.time.LocalDate;
import java.time.format.TextStyle;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Sites without an end, and honest ones that only look like it. */
class TrapsTest {
  /** What every page of a site has around what it says. */
  private static final String FRAME = "Example company home products about contact imprint ";

  private static final int PAGES = 3_000;

  /** Pages of a chain in which each is found on the one before. */
  private int landed;

  /** The honest part of every site with a trap: fifty pages, two clicks deep. */
  private static Page home(String... more) {
    List<String> links = new ArrayList<>(List.of(more));
    IntStream.range(0, 5).forEach(i -> links.add("/honest/list" + i + "/"));
    return new Page(FRAME + "welcome", links);
  }

  private static Page honest(String target) {
    if (target.endsWith("/")) {
      return new Page(
          FRAME + prose(target.hashCode(), 20),
          IntStream.range(0, 9).mapToObj(i -> target + "page" + i).toList());
    }
    return Page.of(FRAME + prose(target.hashCode(), 80), "/");
  }

  private static boolean isHonest(String target) {
    return target.startsWith("/honest/");
  }

  /** Words that somebody might have written: a few often, many seldom. */
  private static String prose(long seed, int length) {
    Random random = new Random(seed);
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < length; i++) {
      long rank = Math.round(Math.exp(random.nextDouble() * Math.log(50_000)));
      text.append(word(rank)).append(' ');
    }
    return text.toString();
  }

  private static String word(long rank) {
    StringBuilder word = new StringBuilder("w");
    for (long rest = rank; rest > 0; rest /= 20) {
      word.append((char) ('a' + rest % 20));
    }
    return word.toString();
  }

  private static void everythingHonestWasAsked(Walk walk) {
    assertThat(walk.asked()).filteredOn(TrapsTest::isHonest).hasSize(50);
  }

  @Test
  void a_calendar_that_goes_on_for_ever_is_left_and_the_rest_of_the_site_is_not() {
    Walk walk =
        Walk.of(
            target -> {
              if (target.equals("/")) {
                return home("/calendar/2026-11-16");
              }
              if (isHonest(target)) {
                return honest(target);
              }
              LocalDate day = LocalDate.parse(target.substring("/calendar/".length()));
              String name =
                  day.getDayOfWeek().getDisplayName(TextStyle.FULL, Locale.ENGLISH)
                      + " "
                      + day.getMonth().getDisplayName(TextStyle.FULL, Locale.ENGLISH);
              return Page.of(
                  FRAME + "events on " + name + " " + day + " none next previous",
                  "/",
                  "/calendar/" + day.plusDays(1),
                  "/calendar/" + day.minusDays(1),
                  "/calendar/" + day.plusMonths(1),
                  "/calendar/" + day.minusMonths(1));
            },
            PAGES);
    assertThat(walk.suppressed()).containsExactly("/calendar/#-#-#");
    assertThat(walk.asked()).hasSizeLessThan(300);
    everythingHonestWasAsked(walk);
  }

  @Test
  void sorting_a_list_in_every_way_is_left() {
    List<String> names = List.of("sort", "order", "page", "view", "filter", "columns");
    Walk walk =
        Walk.of(
            target -> {
              if (target.equals("/")) {
                return home("/list?sort=a");
              }
              if (isHonest(target)) {
                return honest(target);
              }
              // Every page offers to add, change or take away one parameter.
              List<String> links = new ArrayList<>(List.of("/"));
              for (String name : names) {
                for (String value : List.of("a", "b", "c")) {
                  links.add(target + "&" + name + "=" + value);
                }
              }
              return new Page(FRAME + "apples pears plums cherries in some order", links);
            },
            PAGES);
    assertThat(walk.suppressed()).isNotEmpty().allMatch(template -> template.startsWith("/*?"));
    assertThat(walk.reasons()).containsOnly(TrapReason.SAME_TEXT);
    assertThat(walk.asked()).hasSizeLessThan(1_200);
    everythingHonestWasAsked(walk);
  }

  @Test
  void combinations_of_filters_over_a_large_stock_are_left() {
    Walk walk =
        Walk.of(
            target -> {
              if (target.equals("/")) {
                return home("/find?color=0&size=0&brand=0&price=0");
              }
              if (isHonest(target)) {
                return honest(target);
              }
              List<String> links = new ArrayList<>(List.of("/"));
              for (String name : List.of("color", "size", "brand", "price")) {
                for (int value = 0; value < 9; value++) {
                  links.add(target.replaceAll(name + "=\\d", name + "=" + value));
                }
              }
              return new Page(FRAME + prose(target.hashCode(), 200), links);
            },
            PAGES);
    assertThat(walk.suppressed()).containsExactly("/*?brand&color&price&size");
    // A sketch may take the last page's text for one it has seen.
    assertThat(walk.reasons()).containsAnyOf(TrapReason.COMBINATIONS, TrapReason.SAME_TEXT);
    assertThat(walk.asked()).hasSizeLessThan(600);
    everythingHonestWasAsked(walk);
  }

  @Test
  void a_new_session_on_every_page_does_not_make_new_pages() {
    int[] sessions = {0};
    Walk walk =
        Walk.of(
            target -> {
              String session = ";jsessionid=" + "%032x".formatted(sessions[0]++);
              List<String> links = new ArrayList<>();
              for (int i = 0; i < 40; i++) {
                links.add("/part" + i % 4 + "/page" + i + session);
              }
              return new Page(FRAME + prose(target.replaceFirst(";.*", "").hashCode(), 100), links);
            },
            PAGES);
    assertThat(walk.suppressed()).containsExactly("/**;jsessionid");
    assertThat(walk.asked()).hasSizeLessThan(300);
    assertThat(walk.asked().stream().map(target -> target.replaceFirst(";.*", "")).distinct())
        .hasSize(41);
  }

  @Test
  void soft_404s_behind_made_up_names_are_left() {
    Walk walk =
        Walk.of(
            target -> {
              if (target.equals("/")) {
                return home("/old/a");
              }
              if (isHonest(target)) {
                return honest(target);
              }
              String name = prose(target.hashCode(), 1).strip();
              return Page.of(
                  FRAME + "there is no page called " + target + " here",
                  "/",
                  "/old/" + name,
                  "/old/" + name + name);
            },
            PAGES);
    assertThat(walk.suppressed()).containsExactly("/old/*");
    assertThat(walk.reasons()).containsExactly(TrapReason.NOTHING_NEW);
    assertThat(walk.asked()).hasSizeLessThan(250);
    everythingHonestWasAsked(walk);
  }

  @Test
  void paths_that_grow_for_ever_end() {
    Walk walk =
        Walk.of(
            target -> {
              if (target.equals("/")) {
                return home("/maze/a/");
              }
              return isHonest(target)
                  ? honest(target)
                  : Page.of(
                      FRAME + "go on", "/", target + "left/", target + "right/", target + "up/");
            },
            PAGES);
    assertThat(walk.suppressed()).isNotEmpty().allMatch(template -> template.startsWith("/maze/"));
    assertThat(walk.asked()).hasSizeLessThan(1_000);
    everythingHonestWasAsked(walk);
  }

  @Test
  void an_archive_of_many_articles_is_crawled_to_its_end() {
    int articles = 8_000;
    Walk walk =
        Walk.of(
            target -> {
              if (target.equals("/")) {
                return Page.of(FRAME, "/archive?page=0");
              }
              if (target.startsWith("/archive")) {
                int page = Integer.parseInt(target.substring("/archive?page=".length()));
                List<String> links = new ArrayList<>(List.of("/"));
                StringBuilder titles = new StringBuilder(FRAME);
                for (int i = 0; i < 50; i++) {
                  links.add("/article/" + (page * 50 + i));
                  titles.append(prose(page * 50L + i, 6));
                }
                if ((page + 1) * 50 < articles) {
                  links.add("/archive?page=" + (page + 1));
                }
                return new Page(titles.toString(), links);
              }
              int number = Integer.parseInt(target.substring("/article/".length()));
              return Page.of(
                  FRAME + prose(number, 6) + prose(number + 1_000_000L, 150),
                  "/",
                  "/archive?page=0",
                  "/article/" + (number + 1) % articles);
            },
            articles * 2);
    assertThat(walk.suppressed()).isEmpty();
    assertThat(walk.asked()).filteredOn(target -> target.startsWith("/article/")).hasSize(articles);
  }

  @Test
  void an_encyclopaedia_whose_pages_lead_only_to_each_other_is_crawled_to_its_end() {
    int entries = 5_000;
    Walk walk =
        Walk.of(
            target ->
                target.equals("/")
                    ? Page.of(FRAME, "/wiki/" + word(1))
                    : new Page(
                        FRAME + prose(target.hashCode(), 200),
                        IntStream.range(0, 10)
                            .mapToObj(i -> "/wiki/" + word(next(target, i, entries)))
                            .toList()),
            entries * 2);
    assertThat(walk.suppressed()).isEmpty();
    assertThat(walk.asked()).hasSizeGreaterThan(entries * 9 / 10);
  }

  private static long next(String target, int i, int entries) {
    return 1L + Math.floorMod(target.hashCode() * 31L + i * 7919L, entries);
  }

  @Test
  void a_shop_whose_goods_are_described_in_few_words_is_crawled_to_its_end() {
    List<String> words =
        List.of("red", "blue", "green", "shirt", "trousers", "hat", "cotton", "wool");
    int goods = 1_000;
    Walk walk =
        Walk.of(
            target -> {
              if (target.equals("/")) {
                return new Page(
                    FRAME, IntStream.range(0, goods / 20).mapToObj(i -> "/list/" + i).toList());
              }
              if (target.startsWith("/picture/")) {
                return Page.of("");
              }
              int number = Integer.parseInt(target.replaceAll("\\D", ""));
              if (target.startsWith("/list/")) {
                return new Page(
                    FRAME + words,
                    IntStream.range(0, 20).mapToObj(i -> "/item/" + (number * 20 + i)).toList());
              }
              StringBuilder text = new StringBuilder(FRAME);
              for (int bit = 0; bit < words.size(); bit++) {
                text.append(
                    (((number * 2_654_435_761L) >>> (bit + 8)) & 1) == 1
                        ? words.get(bit) + " "
                        : "");
              }
              return Page.of(text + "in stock", "/", "/picture/" + number + "/large");
            },
            goods * 2);
    assertThat(walk.suppressed()).isEmpty();
    assertThat(walk.asked()).filteredOn(target -> target.startsWith("/item/")).hasSize(goods);
  }

  @Test
  void a_list_of_many_pages_that_are_alike_is_crawled_to_its_end() {
    Walk walk =
        Walk.of(
            target -> {
              if (target.equals("/")) {
                return new Page(
                    FRAME, IntStream.range(0, 2_000).mapToObj(i -> "/photo/" + i).toList());
              }
              return Page.of(FRAME + "a photo of something number " + target, "/");
            },
            PAGES);
    assertThat(walk.suppressed()).isEmpty();
    assertThat(walk.asked()).filteredOn(target -> target.startsWith("/photo/")).hasSize(2_000);
  }

  private static Page turning(String text, String target, String... images) {
    int number = Integer.parseInt(target.replaceAll("\\D", ""));
    return Page.of(
            FRAME + text + " next previous",
            "/",
            "/photo/" + (number + 1),
            "/photo/" + Math.max(1, number - 1))
        .showing(images);
  }

  @Test
  void a_gallery_whose_pages_differ_in_their_photo_alone_is_crawled_to_its_end() {
    Walk walk =
        Walk.of(
            target -> {
              if (target.equals("/")) {
                return Page.of(FRAME, "/photo/1");
              }
              return target.equals("/photo/301")
                  ? Page.of(FRAME + "the end", "/")
                  : turning("a photo", target, "/logo.png", "/pictures" + target + ".jpg");
            },
            PAGES);
    assertThat(walk.suppressed()).isEmpty();
    assertThat(walk.asked()).filteredOn(target -> target.startsWith("/photo/")).hasSize(301);
  }

  @Test
  void photos_that_a_program_hands_out_are_told_apart_by_its_parameters() {
    Walk walk =
        Walk.of(
            target ->
                target.equals("/")
                    ? Page.of(FRAME, "/photo/1")
                    : turning("a photo", target, "/show.php?photo=" + target.substring(7)),
            PAGES);
    assertThat(walk.suppressed()).isEmpty();
    assertThat(walk.asked()).hasSize(PAGES);
  }

  @Test
  void images_that_differ_in_a_session_or_a_number_after_their_name_keep_no_trap_open() {
    Walk walk =
        Walk.of(
            target -> {
              if (target.equals("/")) {
                return home("/photo/1");
              }
              return isHonest(target)
                  ? honest(target)
                  : turning(
                      "no events",
                      target,
                      "/logo.PNG?v=" + target.hashCode(),
                      "/banner.jpg;jsessionid=" + target.hashCode(),
                      "/count?site=1&phpsessid=" + target.hashCode());
            },
            PAGES);
    assertThat(walk.suppressed()).containsExactly("/photo/#");
    assertThat(walk.asked()).hasSizeLessThan(300);
    everythingHonestWasAsked(walk);
  }

  @Test
  void a_book_stays_small_whatever_a_site_makes_up() {
    Walk walk =
        Walk.of(
            target -> {
              List<String> links = new ArrayList<>();
              for (int i = 0; i < 8; i++) {
                String name = prose(target.hashCode() * 8L + i, 1).strip();
                links.add("/" + name + "/" + name + i + "x/" + "y?" + name + "=1");
              }
              return new Page(prose(target.hashCode(), 100), links);
            },
            PAGES);
    assertThat(walk.templates()).isLessThanOrEqualTo(Traps.MOST + 1);
  }

  @Test
  void a_template_that_was_lifted_is_never_suppressed_again() {
    Page same = Page.of(FRAME + "the same");
    Traps traps = new Traps(new TrapSettings(3), List.of());
    land(traps, same, 5);
    List<TemplateStats> tallies = traps.takeChanged();
    assertThat(tallies).singleElement().matches(stats -> stats.suppressed().isPresent());
    Traps lifted =
        new Traps(new TrapSettings(3), tallies.stream().map(TemplateStats::lifting).toList());
    land(lifted, same, 10);
    assertThat(lifted.takeChanged()).singleElement().matches(stats -> stats.suppressed().isEmpty());
  }

  @Test
  void what_is_learnt_is_written_every_few_pages_and_a_suppression_at_once() {
    Traps traps = new Traps(new TrapSettings(3), List.of());
    land(traps, Page.of(FRAME + "the first"), 1);
    assertThat(traps.takeDue()).isEmpty();
    land(traps, Page.of(FRAME + "the same"), 5);
    assertThat(traps.takeDue()).singleElement().matches(stats -> stats.suppressed().isPresent());
    assertThat(traps.takeChanged()).isEmpty();
    for (int i = 0; i < 15; i++) {
      land(traps, Page.of(FRAME + prose(i, 30)), 1);
      assertThat(traps.takeDue()).isEmpty();
    }
    land(traps, Page.of(FRAME + prose(15, 30)), 1);
    assertThat(traps.takeDue()).singleElement().matches(stats -> stats.pages() == 22);
  }

  @Test
  void as_many_barren_pages_as_the_setting_says_suppress_a_template_and_not_one_fewer() {
    Traps traps = new Traps(new TrapSettings(3), List.of());
    Page same = Page.of(FRAME + "the same");
    // The first is new, the second was found on it, and of the three more each on one like it.
    land(traps, same, 4);
    assertThat(traps.trap(url(9_999))).isEmpty();
    land(traps, same, 1);
    assertThat(traps.trap(url(9_999))).contains(TrapReason.SAME_TEXT);
  }

  @Test
  void barren_pages_0_never_suppresses() {
    Traps traps = new Traps(new TrapSettings(0), List.of());
    land(traps, Page.of(FRAME + "the same"), 500);
    assertThat(traps.trap(url(9_999))).isEmpty();
  }

  private void land(Traps traps, Page page, int times) {
    for (int i = 0; i < times; i++) {
      landed++;
      traps.landed(
          url(landed),
          Optional.of(url(landed - 1)),
          page::text,
          List.of(),
          List.of(),
          Instant.EPOCH);
    }
  }

  private static CrawlUrl url(int number) {
    return CrawlUrl.of(Walk.SITE + "/page/" + number);
  }
}
