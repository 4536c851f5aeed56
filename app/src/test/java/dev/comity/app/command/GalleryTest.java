package dev.comity.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.app.support.Commands;
import dev.comity.app.support.Said;
import dev.comity.app.support.Site;
import dev.comity.testkit.wire.Replies;
import java.awt.Color;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A gallery whose images lie on another host, from the page to the file and its provenance. */
class GalleryTest {
  @TempDir private Path directory;
  private final Site gallery = Site.open();
  private final Site cdn = Site.open();

  private final byte[] oak = picture("jpg", 120, 90, 1);
  private final byte[] oakAgain = picture("png", 240, 180, 1);
  private final byte[] elm = picture("png", 800, 600, 2);
  private final byte[] ash = picture("gif", 100, 100, 3);
  private final byte[] fir = picture("png", 64, 64, 4);

  @BeforeEach
  void build() {
    page(
        "/",
        "<html lang=en-GB><title>Trees</title><a href=/more>more</a><a href=/private>private</a>"
            + "<figure><img src=CDN/oak.jpg alt='An oak' width=120 height=90>"
            + "<figcaption>By the road</figcaption></figure>"
            + "<img srcset='CDN/elm-s.png 100w, CDN/elm.png 800w' src=CDN/elm-s.png alt=Elm>"
            + "<a href=CDN/ash.gif>an ash</a><img src=CDN/svg.jpg><img src=CDN/secret/x.jpg>");
    page(
        "/more",
        "<title>More</title><meta property=og:image content=CDN/fir.png>"
            + "<img src=CDN/copy-of-oak.jpg><img src=CDN/oak.jpg><img src=CDN/oak-again.png>"
            + "<img src=CDN/bomb.png><img src=CDN/tiny.png><img src=CDN/gone.png>"
            + "<img src=/moved.png alt='It has moved'><img src=CDN/page.jpg>");
    page(
        "/private",
        "<title>Private</title><meta name=robots content=noimageindex><img src=CDN/never.jpg>");
    gallery.redirect("/moved.png", at("fir.png"));
    image("oak.jpg", oak);
    image("copy-of-oak.jpg", oak);
    image("oak-again.png", oakAgain);
    image("elm.png", elm);
    image("elm-s.png", ash);
    image("ash.gif", ash);
    image("fir.png", fir);
    image("never.jpg", oak);
    image("secret/x.jpg", elm);
    image("tiny.png", picture("png", 40, 40, 5));
    image("bomb.png", bomb());
    image(
        "svg.jpg",
        "<svg xmlns='http://www.w3.org/2000/svg' width='900' height='900'/>"
            .getBytes(StandardCharsets.UTF_8));
    image("page.jpg", "<!doctype html><title>No image</title>".getBytes(StandardCharsets.UTF_8));
    cdn.page("/", "A page of the other host");
    cdn.robots("User-agent: *", "Disallow: /secret/");
  }

  @AfterEach
  void close() {
    gallery.close();
    cdn.close();
  }

  private String at(String image) {
    return "http://cdn.example:" + cdn.port() + "/" + image;
  }

  private String home() {
    return "http://gallery.example:" + gallery.port() + "/";
  }

  private void page(String path, String html) {
    String there = "http://cdn.example:" + cdn.port();
    gallery.reply(path, Replies.html("<!doctype html>" + html.replace("CDN", there)));
  }

  private void image(String name, byte[] file) {
    // No site is believed: all of them say the same type.
    cdn.reply("/" + name, Replies.ok("image/jpeg", file));
  }

  private static byte[] picture(String format, int width, int height, int seed) {
    BufferedImage image = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
    for (int y = 0; y < height; y++) {
      for (int x = 0; x < width; x++) {
        int column = x * 9 / width;
        int row = y * 8 / height;
        int grey = Math.floorMod((column * 37 + row * 91) * seed * 53, 256);
        image.setRGB(x, y, new Color(grey, grey, grey).getRGB());
      }
    }
    try {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      ImageIO.write(image, format, bytes);
      return bytes.toByteArray();
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  /** A small file that says it has a side of 50,000 pixels. */
  private byte[] bomb() {
    byte[] bomb = fir.clone();
    for (int at : List.of(16, 20)) {
      bomb[at] = 0;
      bomb[at + 1] = 0;
      bomb[at + 2] = (byte) (50_000 >> 8);
      bomb[at + 3] = (byte) 50_000;
    }
    return bomb;
  }

  private Said crawl(String... arguments) {
    return crawlFrom(home(), arguments);
  }

  private Said crawlFrom(String start, String... arguments) {
    List<String> all =
        new ArrayList<>(
            List.of(
                "crawl",
                start,
                "--contact",
                "you@example.org",
                "--delay",
                "0",
                "--data",
                data().toString(),
                "--resolve",
                "gallery.example:" + gallery.port() + ":127.0.0.1",
                "--resolve",
                "cdn.example:" + cdn.port() + ":127.0.0.1"));
    all.addAll(List.of(arguments));
    return Commands.run(all.toArray(String[]::new));
  }

  private Path data() {
    return directory.resolve("data");
  }

  private Map<String, JsonNode> exported() throws IOException {
    Path file = directory.resolve("images.jsonl");
    Said said =
        Commands.run("export", "images", "--data", data().toString(), "-o", file.toString());
    assertThat(said.code()).isZero();
    Map<String, JsonNode> rows = new TreeMap<>();
    Files.readAllLines(file).stream()
        .map(line -> JsonMapper.shared().readTree(line))
        .forEach(
            row ->
                rows.put(
                    row.get("page").stringValue() + " " + row.get("image_url").stringValue(), row));
    return rows;
  }

  private static JsonNode row(Map<String, JsonNode> rows, String sighting) {
    return Objects.requireNonNull(rows.get(sighting), sighting);
  }

  private List<String> files() throws IOException {
    try (Stream<Path> all = Files.walk(data().resolve("images"))) {
      return all.filter(Files::isRegularFile)
          .map(file -> data().relativize(file).toString())
          .sorted()
          .toList();
    }
  }

  private static String file(byte[] content, String ending) {
    String hash = hash(content);
    return "images/" + hash.substring(0, 2) + "/" + hash + "." + ending;
  }

  private static String hash(byte[] content) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
    } catch (NoSuchAlgorithmException missing) {
      throw new IllegalStateException(missing);
    }
  }

  @Test
  void every_distinct_image_is_kept_once_with_its_type_size_and_provenance() throws IOException {
    Said said = crawl("--images", "--image-hash");

    assertThat(said.lastLine()).startsWith("done: 3 pages (3 × 200), 6 images and 5 not taken");
    assertThat(files())
        .containsExactlyElementsOf(
            new TreeSet<>(
                List.of(
                    file(oak, "jpg"),
                    file(oakAgain, "png"),
                    file(elm, "png"),
                    file(ash, "gif"),
                    file(fir, "png"))));
    for (String name : files()) {
      assertThat(name).contains(hash(Files.readAllBytes(data().resolve(name))));
    }

    Map<String, JsonNode> rows = exported();
    // 5 on the first page, 9 on the second, 1 on the private one.
    assertThat(rows).hasSize(15);
    JsonNode shown = row(rows, home() + " " + at("oak.jpg"));
    assertThat(shown.get("sha256").stringValue()).isEqualTo(hash(oak));
    assertThat(shown.get("alt").stringValue()).isEqualTo("An oak");
    assertThat(shown.get("caption").stringValue()).isEqualTo("By the road");
    assertThat(shown.get("declared_width").intValue()).isEqualTo(120);
    assertThat(shown.get("width").intValue()).isEqualTo(120);
    assertThat(shown.get("height").intValue()).isEqualTo(90);
    assertThat(shown.get("media_type").stringValue()).isEqualTo("image/jpeg");
    assertThat(shown.get("source_domain").stringValue())
        .isEqualTo("gallery.example:" + gallery.port());
    assertThat(shown.get("page_title").stringValue()).isEqualTo("Trees");
    assertThat(shown.get("lang").stringValue()).isEqualTo("en-GB");
    assertThat(shown.get("found_in").stringValue()).isEqualTo("img");
    JsonNode best = row(rows, home() + " " + at("elm.png"));
    assertThat(best.get("srcset").stringValue()).isEqualTo("800w");
    assertThat(best.get("found_in").stringValue()).isEqualTo("srcset");
    JsonNode copy = row(rows, home() + "more " + at("copy-of-oak.jpg"));
    assertThat(copy.get("sha256")).isEqualTo(shown.get("sha256"));
    JsonNode again = row(rows, home() + "more " + at("oak.jpg"));
    assertThat(again.get("sha256")).isEqualTo(shown.get("sha256"));
    JsonNode moved = row(rows, home() + "more " + home() + "moved.png");
    assertThat(moved.get("sha256").stringValue()).isEqualTo(hash(fir));
    assertThat(moved.get("fetched_url").stringValue()).isEqualTo(at("fir.png"));
    assertThat(row(rows, home() + "more " + at("bomb.png")).has("sha256")).isFalse();
    assertThat(row(rows, home() + "more " + at("tiny.png")).get("state").stringValue())
        .isEqualTo("skipped");
    assertThat(row(rows, home() + " " + at("secret/x.jpg")).get("state").stringValue())
        .isEqualTo("denied");
    JsonNode hidden = row(rows, home() + "private " + at("never.jpg"));
    assertThat(hidden.get("signals").toString()).contains("noimageindex");
    assertThat(hidden.has("state")).isFalse();
    long different =
        Long.parseUnsignedLong(shown.get("dhash").stringValue(), 16)
            ^ Long.parseUnsignedLong(
                row(rows, home() + "more " + at("oak-again.png")).get("dhash").stringValue(), 16);
    assertThat(Long.bitCount(different)).isLessThan(6);

    // No page of the other host, none of what is refused, and each image once.
    assertThat(cdn.asked())
        .containsExactlyInAnyOrder(
            "/robots.txt",
            "/oak.jpg",
            "/elm.png",
            "/ash.gif",
            "/svg.jpg",
            "/fir.png",
            "/copy-of-oak.jpg",
            "/oak-again.png",
            "/bomb.png",
            "/tiny.png",
            "/gone.png",
            "/page.jpg");
    assertThat(doctor().out()).doesNotContain("WRONG");
  }

  private Said doctor() {
    return Commands.run("doctor", "--data", data().toString());
  }

  @Test
  void the_budget_of_images_is_kept_to_and_a_larger_one_goes_on() throws IOException {
    Said first = crawl("--images", "--max-images", "2");
    assertThat(first.lastLine())
        .startsWith("image budget spent (--max-images gives more): 3 pages");
    assertThat(
            exported().values().stream()
                .filter(row -> row.has("sha256"))
                .map(row -> row.get("fetched_url"))
                .distinct())
        .hasSize(2);

    Said more = crawl("--images", "--max-images", "100");
    assertThat(more.lastLine()).startsWith("done: 0 pages, 4 images");
    assertThat(files()).hasSize(5);
    assertThat(cdn.asked()).doesNotHaveDuplicates();
    assertThat(doctor().out()).doesNotContain("WRONG");
  }

  @Test
  void images_of_pages_are_fetched_after_the_pages_are_spent_and_no_page_is() throws IOException {
    Said said = crawl("--images", "--max-pages", "1");
    assertThat(said.lastLine()).startsWith("page budget spent (--max-pages gives more): 1 page");
    assertThat(files()).hasSize(3);
    assertThat(gallery.asked()).containsExactly("/robots.txt", "/");
    assertThat(doctor().out()).doesNotContain("WRONG");
  }

  @Test
  void metadata_keeps_rows_and_no_file() throws IOException {
    assertThat(crawl("--images", "metadata").lastLine()).contains("6 images");
    assertThat(data().resolve("images")).doesNotExist();
    JsonNode shown = row(exported(), home() + " " + at("oak.jpg"));
    assertThat(shown.get("sha256").stringValue()).isEqualTo(hash(oak));
    assertThat(shown.has("file")).isFalse();
  }

  @Test
  void a_crawl_without_images_counts_them_and_asks_no_other_host() {
    Said said = crawl("--json");
    assertThat(said.lastLine()).contains("\"images_found\":15,\"images_kept\":0");
    assertThat(cdn.asked()).isEmpty();
    // Links to image files were skipped by their ending; asked for as images, they are fetched.
    assertThat(crawl("--images", "--again").lastLine()).contains("6 images");
    assertThat(doctor().out()).doesNotContain("WRONG");
  }

  @Test
  void files_are_refused_where_nothing_is_kept() {
    Said said = crawl("--images", "--ephemeral");
    assertThat(said.code()).isEqualTo(2);
    assertThat(said.err()).contains("use --images metadata, or --data DIR in place of --ephemeral");
    assertThat(crawl("--images", "metadata", "--ephemeral").lastLine())
        .startsWith("done: 3 pages (3 × 200), 6 images and 5 not taken");
  }

  @Test
  void a_file_of_a_killed_crawl_is_named_and_taken_by_the_next_one() throws IOException {
    // The kill came after the file and before the settlement.
    assertThat(crawlFrom(home() + "private").code()).isZero();
    Path orphan = data().resolve(file(oak, "jpg"));
    Files.createDirectories(orphan.getParent());
    Files.write(orphan, oak);
    assertThat(doctor().out()).contains("the file " + file(oak, "jpg") + " belongs to no image");

    assertThat(crawl("--images").lastLine()).contains("6 images");
    assertThat(files()).hasSize(5);
    assertThat(doctor().out()).doesNotContain("WRONG");
    Files.delete(orphan);
    assertThat(doctor().out()).contains("the image file " + file(oak, "jpg") + " is missing");
  }
}
