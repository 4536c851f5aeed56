package dev.comity.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.app.support.Commands;
import dev.comity.app.support.Said;
import dev.comity.app.support.Site;
import dev.comity.testkit.wire.Replies;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A gallery in which each page leads only to the one before it and the one after it. */
class PrevNextGalleryTest {
  /** More than the pages in a row that may bring nothing new. */
  private static final int PHOTOS = 150;

  @TempDir private Path directory;
  private final Site site = Site.open();

  @AfterEach
  void close() {
    site.close();
  }

  private static byte[] photo(int number) throws IOException {
    BufferedImage image = new BufferedImage(80, 80, BufferedImage.TYPE_INT_RGB);
    image.setRGB(1, 1, number);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    ImageIO.write(image, "png", bytes);
    return bytes.toByteArray();
  }

  private void build(String image) throws IOException {
    for (int number = 1; number <= PHOTOS; number++) {
      site.reply(
          "/photo/" + number,
          Replies.html(
              "<!doctype html><title>Photo</title><p>A photo of our gallery"
                  + "<a href=/photo/%d>prev</a><a href=/photo/%d>next</a><img src=%s>"
                      .formatted(Math.max(1, number - 1), number + 1, image.formatted(number))));
      site.reply("/i/" + number + ".png", Replies.ok("image/png", photo(number)));
    }
  }

  private Said crawl(String... more) {
    String[] all = {
      "crawl", site.url("/photo/1"), "--delay", "0", "--data", directory.resolve("d").toString()
    };
    String[] words = new String[all.length + more.length];
    System.arraycopy(all, 0, words, 0, all.length);
    System.arraycopy(more, 0, words, all.length, more.length);
    return Commands.run(words);
  }

  @Test
  void it_is_crawled_whole_with_its_images() throws IOException {
    build("/i/%d.png");
    Said said = crawl("--images", "metadata");
    assertThat(said.lastLine()).startsWith("done: 151 pages (150 × 200, 1 × 404), 150 images in");
    assertThat(site.asked()).doesNotHaveDuplicates();
  }

  /** Without new images nothing on such pages is new, and they are left alone. */
  @Test
  void with_the_same_image_on_every_page_it_is_taken_for_a_trap() throws IOException {
    build("/i/1.png");
    Said said = crawl("--images", "metadata");
    assertThat(said.lastLine()).contains("1 image").contains("left alone as traps");
    assertThat(site.asked()).hasSizeLessThan(PHOTOS);
  }
}
