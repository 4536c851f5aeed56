package dev.comity.web.html;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.port.fetch.ImageRef;
import dev.comity.core.port.fetch.ImageRef.Source;
import dev.comity.core.url.CrawlUrl;
import dev.comity.web.support.Pages;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PageImagesTest {

  @Test
  void images_come_once_each_with_what_is_said_of_them_and_where() {
    String html =
        """
        <meta property="og:image" content="https://cdn.example/share.png">
        <base href=/pictures/>
        <img src=a.png alt=" A\n house "><img src=a.png alt=again><img alt=nothing>
        <picture><source srcset="b.webp 1x, b2.webp 2x"><img src=b.jpg srcset="b-2.jpg 2x"></picture>
        <img src="data:image/gif;base64,R0lGOD"><template><img src=no.png></template>
        """;
    assertThat(Pages.read(html).images())
        .containsExactly(
            image("https://cdn.example/share.png", "", Source.OPEN_GRAPH),
            image("https://site.example/pictures/a.png", "A house", Source.IMG),
            image("https://site.example/pictures/b.webp", "", Source.PICTURE),
            image("https://site.example/pictures/b2.webp", "", Source.PICTURE),
            image("https://site.example/pictures/b.jpg", "", Source.IMG),
            image("https://site.example/pictures/b-2.jpg", "", Source.SRCSET));
    assertThat(Pages.targets(html)).isEmpty();
  }

  @Test
  void no_more_than_a_thousand_images_count() {
    StringBuilder html = new StringBuilder("<img srcset='");
    for (int i = 0; i < 1_010; i++) {
      html.append("i").append(i).append(" ").append(i).append("w, ");
    }
    html.append("'><img src=last>");
    assertThat(Pages.read(html.toString()).images()).hasSize(1_000);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a.png | a.png",
        " a.png 1x , b.png 2x | a.png b.png",
        "a.png, b.png | a.png b.png",
        "a,b.png 100w,c.png 200w | a,b.png c.png",
        "a.png 1x (x,y), b.png | a.png b.png",
        ",,, | ",
        "a.png,, b.png | a.png b.png",
        "a.png 1x 2x 3x;;, b | a.png b",
      })
  void a_srcset_is_read_by_the_standard(String srcset, String references) {
    List<String> expected = references == null ? List.of() : List.of(references.split(" ", -1));
    assertThat(Srcset.references(srcset, 10)).isEqualTo(expected);
  }

  private static ImageRef image(String url, String alt, Source source) {
    return new ImageRef(CrawlUrl.of(url), alt, source);
  }
}
