package dev.comity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comity.core.engine.Crawl;
import dev.comity.support.Village;
import dev.comity.testkit.wire.Replies;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Images that a program collects. */
class LibraryImagesTest {
  @TempDir private Path home;
  private final Village village = new Village();
  private final List<CollectedImage> images = new ArrayList<>();

  @BeforeEach
  void build() throws IOException {
    village
        .with(
            "/",
            Replies.html(
                "<title>Home</title><figure><img src=/a.png alt=One><figcaption>First</figcaption>"
                    + "</figure><img src=/moved.png alt=Two><img src=/private/c.png>"))
        .with("/a.png", Replies.ok("image/png", picture(80)))
        .with("/b.png", Replies.ok("image/png", picture(90)))
        .with("/moved.png", Replies.status("302 Found", "Location: /b.png"));
  }

  @AfterEach
  void close() {
    village.close();
  }

  private static byte[] picture(int side) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    ImageIO.write(new BufferedImage(side, side, BufferedImage.TYPE_INT_RGB), "png", bytes);
    return bytes.toByteArray();
  }

  private Comity crawl() {
    return Comity.crawl(village.url("/")).delay(Duration.ZERO).onImage(images::add);
  }

  @Test
  void the_hook_hears_of_each_image_with_the_words_of_its_page() throws Exception {
    Summary summary = crawl().images(10).run();
    assertThat(summary.images()).isEqualTo(2);
    assertThat(summary.toString()).startsWith("finished: 1 pages, 2 images, 0 failed");
    assertThat(images).extracting(CollectedImage::alt).containsExactlyInAnyOrder("One", "Two");
    CollectedImage first =
        images.stream().filter(image -> image.alt().equals("One")).findFirst().orElseThrow();
    assertThat(first.caption()).isEqualTo("First");
    assertThat(first.page().orElseThrow().toString()).isEqualTo(village.url("/"));
    assertThat(first.width()).hasValue(80);
    assertThat(first.mediaType()).isEqualTo("image/png");
    assertThat(first.file()).isEmpty();
    assertThat(village.asked()).doesNotContain("/private/c.png");
  }

  @Test
  void files_are_kept_in_the_data_directory_and_the_budget_is_kept_to() throws Exception {
    Summary summary = crawl().images(1).data(home).run();
    assertThat(summary.end()).isInstanceOf(Crawl.End.OutOfImages.class);
    assertThat(images).hasSize(1);
    Path file = images.getFirst().file().orElseThrow();
    assertThat(Files.size(file)).isEqualTo(images.getFirst().bytes());
  }

  @Test
  void without_the_call_no_image_is_asked() throws Exception {
    assertThat(crawl().run().images()).isZero();
    assertThat(village.asked()).containsExactly("/robots.txt", "/");
    assertThatThrownBy(() -> crawl().images(0))
        .isInstanceOf(CrawlRefused.class)
        .hasMessage("images is 0, but must be at least 1");
  }
}
