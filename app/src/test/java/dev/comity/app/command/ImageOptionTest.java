package dev.comity.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.app.support.Commands;
import dev.comity.app.support.Said;
import dev.comity.app.support.Site;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What may follow {@code --images} on the command line. */
class ImageOptionTest {
  @TempDir private Path directory;
  private final Site site = Site.open();

  @BeforeEach
  void build() {
    site.page("/", "A page without images");
  }

  @AfterEach
  void close() {
    site.close();
  }

  private Path data() {
    return directory.resolve("data");
  }

  private Said crawl(String... arguments) {
    String[] all = new String[arguments.length + 3];
    all[0] = "crawl";
    all[1] = "--data";
    all[2] = data().toString();
    System.arraycopy(arguments, 0, all, 3, arguments.length);
    return Commands.run(all);
  }

  @ParameterizedTest
  @ValueSource(strings = {"huge", "file", "", "file\u001bs"})
  void a_wrong_word_is_refused_before_anything_is_asked(String word) {
    Said said = crawl(site.url("/"), "--images", word);
    assertThat(said.code()).isEqualTo(2);
    assertThat(said.err())
        .contains("Invalid value for option '--images': '")
        .contains("is none of files, metadata, off")
        .doesNotContain("\u001b");
    assertThat(crawl("--images=huge", site.url("/")).code()).isEqualTo(2);
    assertThat(site.asked()).isEmpty();
    assertThat(data()).doesNotExist();
  }

  @ParameterizedTest
  @ValueSource(strings = {"files", "Metadata", "off", "OFF"})
  void each_mode_is_taken_in_any_case(String mode) {
    assertThat(crawl("--images", mode, site.url("/")).lastLine()).startsWith("done: 1 page");
  }

  @Test
  void a_url_or_an_option_after_it_is_none_of_its_values() {
    assertThat(crawl("--images", site.url("/")).lastLine()).startsWith("done: 1 page");
    assertThat(crawl(site.url("/"), "--again", "--images", "--max-images", "3").lastLine())
        .startsWith("done: 1 page");
    assertThat(crawl("--again", site.url("/"), "--images").lastLine()).startsWith("done: 1 page");
  }

  @Test
  void a_list_after_it_is_fetched() throws Exception {
    Path list = Files.writeString(directory.resolve("list.txt"), site.url("/") + "\n");
    Said said =
        Commands.run(
            "fetch",
            "--data",
            data().toString(),
            "--allow-private",
            "--contact",
            "you@example.org",
            "--images",
            list.toString());
    assertThat(said.out()).contains("list.txt: 1 URLs on 1 domains");
  }
}
