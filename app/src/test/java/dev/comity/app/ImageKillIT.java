package dev.comity.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.app.support.Commands;
import dev.comity.app.support.Program;
import dev.comity.app.support.Shelf;
import dev.comity.app.support.Site;
import dev.comity.testkit.wire.Replies;
import dev.comity.testkit.wire.Script;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A crawl that is killed when an image's file is written and its settlement is not. The test holds
 * the database's lock meanwhile, so the settlement cannot begin.
 */
class ImageKillIT {
  @TempDir private Path directory;

  private Path data() {
    return directory.resolve("comity-data");
  }

  private Program crawl(Site site) {
    return Program.start(directory, "crawl", site.url("/"), "--images", "--delay", "0", "--quiet");
  }

  private List<Path> files() throws IOException {
    Path images = data().resolve("images");
    if (!Files.isDirectory(images)) {
      return List.of();
    }
    try (Stream<Path> all = Files.walk(images)) {
      return all.filter(Files::isRegularFile)
          .filter(file -> file.toString().endsWith(".png"))
          .toList();
    }
  }

  private static byte[] picture() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    ImageIO.write(new BufferedImage(80, 80, BufferedImage.TYPE_INT_RGB), "png", bytes);
    return bytes.toByteArray();
  }

  private void run(Connection lock, String sql) throws SQLException {
    try (Statement statement = lock.createStatement()) {
      statement.execute(sql);
    }
  }

  private static Script answerAfter(CountDownLatch locked, String reply) {
    return wire -> {
      if (!locked.await(1, TimeUnit.MINUTES)) {
        throw new IOException("the test does not hold the lock");
      }
      wire.send(reply);
    };
  }

  /** Answers whether the file was there while the crawl still ran. */
  private boolean awaitFile(Program crawl) throws Exception {
    while (files().isEmpty()) {
      if (crawl.endsWithin(Program.A_LOOK)) {
        return false;
      }
    }
    return true;
  }

  @Test
  void killed_between_the_file_and_the_settlement_the_image_is_asked_once_more_and_kept_once()
      throws Exception {
    CountDownLatch locked = new CountDownLatch(1);
    try (Site site = Site.open()) {
      site.reply("/", Replies.html("<title>Home</title><img src=/a.png><img src=/same.png>"));
      String image = Replies.ok("image/png", picture());
      // Neither is settled before the lock is held.
      site.play("/a.png", answerAfter(locked, image));
      site.play("/same.png", answerAfter(locked, Replies.status("404 Not Found")));
      try (Program crawl = crawl(site)) {
        site.awaitRequest("/a.png");
        site.awaitRequest("/same.png");
        try (Connection lock =
            DriverManager.getConnection("jdbc:sqlite:" + data().resolve("comity.db"))) {
          run(lock, "PRAGMA busy_timeout = 60000");
          run(lock, "BEGIN IMMEDIATE");
          locked.countDown();
          assertThat(awaitFile(crawl)).as("the file is written before its row").isTrue();
          crawl.kill();
          run(lock, "ROLLBACK");
        }
      }
      Shelf shelf = new Shelf(data());
      assertThat(shelf.text("SELECT count(*) FROM images")).isEqualTo("0");
      int before = site.asked().size();
      List<Path> left = files();
      assertThat(left).hasSize(1);

      // The same content at another URL finds the file, too.
      site.reply("/same.png", image);
      site.reply("/a.png", image);
      try (Program again = crawl(site)) {
        assertThat(again.ended().code()).isZero();
      }
      assertThat(files()).isEqualTo(left);
      assertThat(Files.readAllBytes(left.getFirst())).isEqualTo(picture());
      assertThat(shelf.text("SELECT count(*) FROM images WHERE kept = 1")).isEqualTo("1");
      // Two URLs, one image.
      assertThat(shelf.text("SELECT images FROM crawl_runs WHERE id = 1")).isEqualTo("2");
      assertThat(site.asked().subList(before, site.asked().size())).containsOnlyOnce("/a.png");
      assertThat(Commands.run("doctor", "--data", data().toString()).code()).isZero();
    }
  }
}
