package dev.comity.web.html;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.port.fetch.ImageRef.Source;
import dev.comity.core.port.fetch.ImageSighting;
import dev.comity.core.url.CrawlUrl;
import dev.comity.testkit.gen.HostileHtml;
import dev.comity.testkit.gen.Property;
import dev.comity.web.support.Pages;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ImageSightingsTest {

  @Test
  void an_image_comes_with_all_that_its_page_says_of_it() {
    ImageSighting image =
        only(
            """
            <title>not text</title><link rel=license href=/page-licence>
            <p>Before &amp; beside.</p>
            <figure>
              <a href=/large><img src=a.png alt=" A\n house " title="The  title" width=640 height="480px"></a>
              <figcaption>Built in <b>1890</b>.
                <span itemprop=creditText>Photo: A. Smith</span>
                <a rel="license nofollow" href="https://creativecommons.org/licenses/by/4.0/">CC</a>
              </figcaption>
            </figure>
            <p>After it.</p>
            """);
    assertThat(image.url()).isEqualTo(CrawlUrl.of("https://site.example/dir/a.png"));
    assertThat(image.source()).isEqualTo(Source.IMG);
    assertThat(image.alt()).isEqualTo("A house");
    assertThat(image.title()).isEqualTo("The title");
    assertThat(image.caption()).isEqualTo("Built in 1890. Photo: A. Smith CC");
    assertThat(image.textBefore()).isEqualTo("Before & beside.");
    assertThat(image.textAfter()).isEqualTo("After it.");
    assertThat(image.width()).hasValue(640);
    assertThat(image.height()).hasValue(480);
    assertThat(image.linkTarget()).contains(CrawlUrl.of("https://site.example/large"));
    assertThat(image.licence())
        .contains(CrawlUrl.of("https://creativecommons.org/licenses/by/4.0/"));
    assertThat(image.credit()).isEqualTo("Photo: A. Smith");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "<img src=a.png> | a.png IMG",
        "<img src=a.png srcset='b.png 2x'> | b.png SRCSET 2x",
        "<img src=a.png srcset='b.png 320w, c.png 1200w, d.png 640w'> | c.png SRCSET 1200w",
        "<img srcset='b.png, c.png 1.5x, d.png 1x'> | c.png SRCSET 1.5x",
        "<img src=a.png srcset='b.png 99999999999w, c.png 10w'> | c.png SRCSET 10w",
        "<img src=a.png srcset='data:x 900w'> | a.png SRCSET 900w",
        "<img src='data:image/gif;base64,R0' data-src=late.png> | late.png IMG",
        "<img src='data:x' data-srcset='l.png 5w'> | l.png SRCSET 5w",
        "<picture><source srcset='s.webp 800w'><img src=a.png srcset='b.png 400w'></picture>"
            + " | s.webp PICTURE 800w",
        "<picture><source srcset=s.webp><source srcset='t.webp 2x'><img src=a.png></picture>"
            + " | t.webp PICTURE 2x",
        "<picture><img src=a.png></picture> | a.png PICTURE",
        "<source srcset=no.png><img src=a.png> | a.png IMG",
        "<meta property=og:image content=/o.png> | /o.png OPEN_GRAPH",
        "<meta name=twitter:image content=/t.png> | /t.png TWITTER_CARD",
        "<a href='f.JPG?x#y'>large</a> | f.JPG?x LINK",
        "<base href=/deep/><img src=a.png> | /deep/a.png IMG",
      })
  void the_best_candidate_of_each_image_is_taken(String html, String expected) {
    ImageSighting image = only(html);
    String[] words = expected.split(" ", -1);
    assertThat(image.url()).isEqualTo(CrawlUrl.of(absolute(words[0])));
    assertThat(image.source().name()).isEqualTo(words[1]);
    assertThat(image.descriptor()).isEqualTo(words.length > 2 ? words[2] : "");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "<a href=page.html>x</a>",
        "<a href=.png.html>x</a>",
        "<a href=''>x</a>",
        "<template><img src=a.png></template>",
        "<script><img src=a.png></script>",
        "<img alt=nothing>",
        "<img src=''>",
        "<img src=#top>",
        "<img src='javascript:x'>",
        "<svg><image href=a.png></svg>",
      })
  void these_are_no_images(String html) {
    assertThat(sightings(html)).isEmpty();
  }

  @Test
  void what_stands_for_a_card_belongs_to_the_card_before_it() {
    List<ImageSighting> images =
        sightings(
            "<meta property=og:image content=/a.png><meta property=og:image:width content=1200>"
                + "<meta property=og:image:height content=x><meta property=og:image:alt content=A>"
                + "<meta property=og:image content=/b.png>");
    assertThat(images.getFirst().width()).hasValue(1200);
    assertThat(images.getFirst().height()).isEmpty();
    assertThat(images.getFirst().alt()).isEqualTo("A");
    assertThat(images.getLast().width()).isEmpty();
  }

  @Test
  void a_linked_image_takes_the_words_of_its_thumbnail() {
    List<ImageSighting> images =
        sightings("<a href=large.jpg title=T><img src=small.jpg alt=Words></a><img src=c.png>");
    assertThat(images).extracting(ImageSighting::alt).containsExactly("Words", "Words", "");
    assertThat(images.get(1).linkTarget()).contains(images.getFirst().url());
    assertThat(images.get(2).linkTarget()).isEmpty();
  }

  @Test
  void licences_and_credits_of_other_figures_are_not_taken() {
    List<ImageSighting> images =
        sightings(
            "<figure><img src=a.png><figcaption><a rel=license href=/la>l</a>"
                + "<i itemprop=copyrightNotice>CA</i></figcaption></figure>"
                + "<figure><img src=b.png></figure>"
                + "<img src=c.png><meta itemprop=creditText content='CC'>"
                + "x".repeat(300)
                + "<img src=d.png><a rel=license href=/page>l</a>");
    assertThat(images)
        .extracting(image -> image.licence().map(CrawlUrl::target).orElse(""))
        .containsExactly("/la", "/page", "/page", "/page");
    assertThat(images).extracting(ImageSighting::credit).containsExactly("CA", "", "CC", "");
    assertThat(images).extracting(ImageSighting::caption).containsExactly("lCA", "", "", "");
  }

  @Test
  void surroundings_are_two_hundred_characters_on_each_side() {
    ImageSighting image = only("<p>" + "ab ".repeat(500) + "<img src=a.png>" + "cd ".repeat(500));
    assertThat(image.textBefore()).hasSizeBetween(195, 200).endsWith("ab");
    assertThat(image.textAfter()).hasSizeBetween(195, 200).startsWith("cd");
    String smile = "\ud83d\ude00";
    ImageSighting split = only("x" + smile.repeat(150) + "<img src=a.png>y" + smile.repeat(150));
    assertThat(split.textBefore()).isEqualTo(smile.repeat(100));
    assertThat(split.textAfter()).isEqualTo("y" + smile.repeat(99));
  }

  @Test
  void each_url_counts_once_and_a_thousand_at_most() {
    StringBuilder html = new StringBuilder("<img src=a.png alt=first><img src=a.png#b alt=second>");
    assertThat(sightings(html.toString())).extracting(ImageSighting::alt).containsExactly("first");
    for (int image = 0; image < 2_000; image++) {
      html.append("<img src=i").append(image).append(".png>");
    }
    assertThat(sightings(html.toString())).hasSize(999);
  }

  @Test
  void short_references_on_a_long_base_stay_in_bounds() {
    StringBuilder html = new StringBuilder("<base href='/" + "b".repeat(8_000) + "/'>");
    for (int image = 0; image < 1_000; image++) {
      html.append("<img src=").append(image).append(".png>");
    }
    assertThat(
            sightings(html.toString()).stream()
                .mapToInt(image -> image.url().toString().length())
                .sum())
        .isLessThanOrEqualTo(PageLinks.MOST_CHARACTERS);
  }

  @Test
  void monsters_are_read() {
    assertThat(sightings("<figure><figcaption>".repeat(300_000) + "x")).isEmpty();
    assertThat(sightings("<picture><img src=a.png>".repeat(200_000))).hasSize(1);
    assertThat(sightings("<a rel=license href=/l itemprop=creditText>c".repeat(100_000))).isEmpty();
    ImageSighting long_ = only("<img src=a.png alt='" + "x".repeat(200_000) + "'>");
    assertThat(long_.alt()).hasSize(PageImages.LONGEST_TEXT);
    assertThat(sightings("<img srcset='" + "a.png 1w,".repeat(25_000) + "'>")).hasSize(1);
  }

  @Test
  void any_page_gives_images_that_are_bounded_and_each_once() {
    Property.holds(
        3_000,
        HostileHtml.wild(),
        html -> {
          Set<CrawlUrl> seen = new HashSet<>();
          for (ImageSighting image : PageImages.read(Pages.PAGE, html)) {
            assertThat(seen.add(image.url())).isTrue();
            assertThat(image.textBefore().length()).isLessThanOrEqualTo(PageImages.SURROUNDINGS);
            assertThat(image.caption().length()).isLessThanOrEqualTo(PageImages.LONGEST_TEXT);
            assertThat(image.textAfter()).doesNotContain("\0");
          }
        });
  }

  @Test
  void the_images_that_the_crawl_counts_are_among_those_that_are_described() {
    Property.holds(
        1_000,
        HostileHtml.wild(),
        html -> {
          Set<String> described =
              sightings(html.replace("srcset", "x")).stream()
                  .map(image -> image.url().toString())
                  .collect(Collectors.toSet());
          assertThat(described)
              .containsAll(
                  Pages.read(html.replace("srcset", "x")).images().stream()
                      .map(image -> image.url().toString())
                      .filter(target -> !target.equals(Pages.PAGE.toString()))
                      .toList());
        });
  }

  private static String absolute(String reference) {
    return "https://site.example" + (reference.startsWith("/") ? "" : "/dir/") + reference;
  }

  private static ImageSighting only(String html) {
    List<ImageSighting> all = sightings(html);
    assertThat(all).hasSize(1);
    return all.getFirst();
  }

  private static List<ImageSighting> sightings(String html) {
    return PageImages.read(Pages.PAGE, html);
  }
}
