package dev.comity.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.app.support.Commands;
import dev.comity.app.support.Said;
import dev.comity.app.support.Site;
import dev.comity.testkit.wire.Replies;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Images that are known, asked again in another mode or after a reset; and how screens show them.
 */
class ImageModesTest {
  @TempDir private Path directory;
  private final Site gallery = Site.open();
  private final Site cdn = Site.open();

  @BeforeEach
  void build() throws IOException {
    String there = "http://cdn.example:" + cdn.port();
    gallery.reply(
        "/",
        Replies.html(
            "<title>Home</title><a href=/more>more</a><img src=%s/a.png><img src=/own.png>"
                .formatted(there)));
    gallery.reply(
        "/more", Replies.html("<img src=%s/b.png><img src=%s/gone.png>".formatted(there, there)));
    cdn.reply("/a.png", Replies.ok("image/png", picture(80)));
    cdn.reply("/b.png", Replies.ok("image/png", picture(90)));
    cdn.page("/", "A page of the other host");
    gallery.reply("/own.png", Replies.ok("image/png", picture(100)));
  }

  @AfterEach
  void close() {
    gallery.close();
    cdn.close();
  }

  private static byte[] picture(int side) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    ImageIO.write(new BufferedImage(side, side, BufferedImage.TYPE_INT_RGB), "png", bytes);
    return bytes.toByteArray();
  }

  private Said crawl(String... more) {
    List<String> words =
        new ArrayList<>(
            List.of(
                "crawl",
                "http://gallery.example:" + gallery.port() + "/",
                "--contact",
                "you@example.org",
                "--delay",
                "0",
                "--resolve",
                "gallery.example:" + gallery.port() + ":127.0.0.1",
                "--resolve",
                "cdn.example:" + cdn.port() + ":127.0.0.1"));
    words.addAll(List.of(more));
    return run(words.toArray(String[]::new));
  }

  private Said run(String... words) {
    List<String> all = new ArrayList<>(List.of(words));
    all.addAll(List.of("--data", directory.resolve("data").toString()));
    return Commands.run(all.toArray(String[]::new));
  }

  private long files() throws IOException {
    Path folder = directory.resolve("data").resolve("images");
    if (!Files.isDirectory(folder)) {
      return 0;
    }
    try (Stream<Path> all = Files.walk(folder)) {
      return all.filter(Files::isRegularFile).count();
    }
  }

  @Test
  void files_of_images_that_are_known_by_their_rows_are_fetched() throws IOException {
    assertThat(crawl("--images", "metadata").lastLine()).contains("2 pages").contains("3 images");
    assertThat(files()).isZero();
    Said later = crawl("--images");
    assertThat(later.out()).contains("3 known images asked for their files.");
    assertThat(later.lastLine()).startsWith("done: 0 pages, 3 images in ");
    assertThat(files()).isEqualTo(3);
    assertThat(Collections.frequency(cdn.asked(), "/a.png")).isEqualTo(2);
    assertThat(Collections.frequency(cdn.asked(), "/gone.png")).isEqualTo(1);
    assertThat(cdn.asked()).doesNotContain("/");
    assertThat(run("doctor").out()).doesNotContain("WRONG");

    int asked = cdn.asked().size();
    assertThat(crawl("--images").out()).doesNotContain("known image");
    assertThat(cdn.asked()).hasSize(asked);
    assertThat(run("top-domains", "--json").out()).contains("\"images_stored\":3");
  }

  @Test
  void pages_and_images_are_told_apart_on_the_screens() {
    crawl("--images", "metadata");
    assertThat(run("domains").out())
        .containsPattern("gallery\\.example:\\d+ +exhausted +2/2 .* 3 +1\\.50 ")
        .containsPattern("cdn\\.example:\\d+ +exhausted +0/0 ");
    assertThat(run("top-domains").out()).containsPattern("gallery\\.example:\\d+ +exhausted +2/2 ");
    assertThat(run("domain", "gallery.example:" + gallery.port()).out())
        .contains("discovered         3, 1 of them images");
    assertThat(run("domain", "cdn.example:" + cdn.port(), "--json").out())
        .contains("\"image_urls\":3");
  }

  @Test
  void a_reset_domain_asks_for_its_images_as_images() throws IOException {
    crawl("--images");
    String name = "cdn.example:" + cdn.port();
    assertThat(run("domain-reset", name, "--all", "--reason", "again").code()).isZero();
    assertThat(crawl("--images").code()).isZero();
    assertThat(run("domain", name).out()).contains("discovered         3, 3 of them images");
    assertThat(files()).isEqualTo(3);
    assertThat(run("doctor").out()).doesNotContain("WRONG");
  }
}
