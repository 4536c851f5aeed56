package dev.comity.store.image;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.store.DataDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ImageDirectoryTest {
  private static final Instant NOON = Instant.parse("2026-06-01T12:00:00Z");

  @TempDir Path home;

  @Test
  void what_a_killed_crawl_did_not_finish_is_deleted_after_an_hour() throws IOException {
    Path finished = file("abcd.png", NOON.minusSeconds(9_000));
    Path old = file("left.part", NOON.minusSeconds(3_601));
    Path fresh = file("written.part", NOON.minusSeconds(3_599));
    images().deleteUnfinished(NOON);
    assertThat(finished).exists();
    assertThat(old).doesNotExist();
    assertThat(fresh).exists();
  }

  @Test
  void a_file_that_is_not_finished_is_no_image() throws IOException {
    file("abcd.png", NOON);
    file("written.part", NOON);
    assertThat(images().names("ab")).containsExactly("images/ab/abcd.png");
  }

  @Test
  void a_directory_without_images_has_nothing_to_delete() {
    images().deleteUnfinished(NOON);
    assertThat(home).isEmptyDirectory();
  }

  private ImageDirectory images() {
    return new ImageDirectory(new DataDirectory(home));
  }

  private Path file(String name, Instant at) throws IOException {
    Path folder = Files.createDirectories(home.resolve("images").resolve("ab"));
    Path file = Files.writeString(folder.resolve(name), "x");
    return Files.setLastModifiedTime(file, FileTime.from(at));
  }
}
