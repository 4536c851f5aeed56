package dev.comity;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.support.Village;
import dev.comity.testkit.wire.Replies;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every program in examples is compiled and run, and prints nothing on standard error. */
class ExamplesTest {
  private static final Path EXAMPLES =
      Files.exists(Path.of("examples")) ? Path.of("examples") : Path.of("..", "examples");

  @TempDir private Path home;

  private final Village village = new Village();

  @AfterEach
  void close() {
    village.close();
  }

  @Test
  void there_are_these_examples() throws IOException {
    try (Stream<Path> files = Files.list(EXAMPLES)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrder(
              "Titles.java", "Prices.java", "Docs.java", "LinkGraph.java", "Pictures.java");
    }
  }

  @Test
  void titles_are_written_as_csv() throws Exception {
    village.with("/inn", Replies.html("<title>=\"Inn\"</title>"));
    assertThat(run("Titles.java", village.url("/")))
        .containsExactly(
            "url,status,title",
            village.url("/") + ",200,\"Home\"",
            village.url("/inn") + ",200,\"'=\"\"Inn\"\"\"");
  }

  @Test
  void prices_are_found_by_css() throws Exception {
    village.with("/", Replies.html("<h1>Tea</h1><b class=price>4 €</b><a href=/basket>b</a>"));
    assertThat(run("Prices.java", "h1", ".price", village.url("/"))).containsExactly("Tea\t4 €");
    assertThat(village.asked()).containsExactly("/robots.txt", "/");
  }

  @Test
  void a_documentation_tree_becomes_markdown() throws Exception {
    village.with(
        "/inn", Replies.html("<nav>Menu</nav><main><h1>Inn</h1><p>A <a href=/>home</a></main>"));
    Path directory = home.resolve("md");
    assertThat(run("Docs.java", directory.toString(), village.url("/"))).isEmpty();
    assertThat(Files.readString(directory.resolve("inn.md")))
        .isEqualTo("# Inn\n\nA [home](" + village.url("/") + ")\n");
    assertThat(Files.exists(directory.resolve("index.md"))).isTrue();
  }

  @Test
  void images_are_kept_and_listed() throws Exception {
    BufferedImage image = new BufferedImage(80, 70, BufferedImage.TYPE_INT_RGB);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    ImageIO.write(image, "png", bytes);
    village
        .with("/inn", Replies.html("<img src=/sign.jpg alt=Sign><img src=/no.png>"))
        .with("/sign.jpg", Replies.ok("image/jpeg", bytes.toByteArray()));
    Path data = home.resolve("pictures");
    List<String> lines = run("Pictures.java", data.toString(), village.url("/"));
    assertThat(lines).hasSize(2);
    assertThat(lines.getLast())
        .matches("[0-9a-f]{64}\timage/png\t80x70\t.*")
        .endsWith(village.url("/sign.jpg") + "\t" + village.url("/inn"));
    String hash = lines.getLast().substring(0, 64);
    Path file = data.resolve("images").resolve(hash.substring(0, 2)).resolve(hash + ".png");
    assertThat(Files.readAllBytes(file)).isEqualTo(bytes.toByteArray());
  }

  @Test
  void links_become_a_graph() throws Exception {
    assertThat(run("LinkGraph.java", village.url("/")))
        .startsWith("digraph {")
        .contains(
            "  \"%s\" -> \"%s\" [label=\"inn\"];".formatted(village.url("/"), village.url("/inn")))
        .endsWith("}");
  }

  private List<String> run(String example, String... arguments)
      throws IOException, InterruptedException {
    Path errors = home.resolve("errors");
    Path words = home.resolve("words");
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "-Dstdout.encoding=UTF-8",
                "-cp",
                System.getProperty("java.class.path"),
                EXAMPLES.resolve(example).toString()));
    command.addAll(List.of(arguments));
    Process process =
        new ProcessBuilder(command)
            .redirectError(errors.toFile())
            .redirectOutput(words.toFile())
            .start();
    boolean ended = process.waitFor(2, TimeUnit.MINUTES);
    process.destroyForcibly();
    assertThat(ended).as("ends by itself").isTrue();
    assertThat(Files.readString(errors)).isEmpty();
    assertThat(process.exitValue()).isZero();
    return Files.readAllLines(words);
  }
}
