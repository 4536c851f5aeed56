package dev.comity.app.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.app.support.Commands;
import dev.comity.app.support.Said;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import javax.imageio.ImageReader;
import javax.imageio.stream.ImageInputStream;
import org.jsoup.Jsoup;
import org.jsoup.nodes.Document;
import org.jsoup.nodes.Element;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * The demo's gallery, crawled by the command and counted by others: pages by jsoup, files by
 * ImageIO, both straight from the sites.
 */
class DemoGalleryTest {
  private static final List<DemoSite> SITES = DemoGallery.sites();

  @TempDir private Path directory;

  /** What the count without the crawler expects of one sighting. */
  private record Expected(String sha256, String type, int width, int height, String alt) {}

  /** Sightings by page and URL, and pictures that must not be asked or not be sent. */
  private record Counted(Map<String, Optional<Expected>> sightings, int pages, int refused) {}

  private static DemoReply reply(String url, int port) {
    for (DemoSite site : SITES) {
      String root = "http://" + site.name() + ":" + port;
      if (url.startsWith(root + "/")) {
        try {
          return site.manners().to(new Visit(url.substring(root.length()), Instant.EPOCH, port));
        } catch (InterruptedException unexpected) {
          throw new AssertionError(unexpected);
        }
      }
    }
    throw new AssertionError("no site has " + url);
  }

  private static Counted count(int port) throws IOException {
    String home = "http://gallery.example:" + port + "/";
    Map<String, Optional<Expected>> sightings = new TreeMap<>();
    Deque<String> open = new ArrayDeque<>(List.of(home));
    Set<String> seen = new HashSet<>(open);
    int refused = 0;
    while (!open.isEmpty()) {
      String page = open.remove();
      Document html =
          Jsoup.parse(new String(reply(page, port).body().bytes(), StandardCharsets.UTF_8), page);
      boolean closed = html.select("meta[name=robots]").attr("content").startsWith("no");
      Map<String, String> images = images(html);
      for (Map.Entry<String, String> image : images.entrySet()) {
        Optional<Expected> expected =
            closed ? Optional.empty() : expected(image.getKey(), image.getValue(), port);
        sightings.put(page + " " + image.getKey(), expected);
        refused += closed ? 1 : 0;
      }
      for (Element link : html.select("a[href]")) {
        String target = link.absUrl("href");
        if (target.startsWith(home) && seen.add(target)) {
          open.add(target);
        }
      }
    }
    return new Counted(sightings, seen.size(), refused);
  }

  /** The best candidate of each image, with its alternative text. */
  private static Map<String, String> images(Document html) {
    Map<String, String> images = new TreeMap<>();
    for (Element image : html.select("img")) {
      String best =
          image.hasAttr("srcset")
              ? Arrays.stream(image.attr("srcset").split(",", -1))
                  .map(String::strip)
                  .max(
                      Comparator.comparingInt(
                          one -> Integer.parseInt(one.replaceAll(".* (\\d+)w", "$1"))))
                  .map(one -> one.replaceFirst(" .*", ""))
                  .orElseThrow()
              : image.absUrl("src");
      images.put(best, image.attr("alt"));
    }
    html.select("meta[property=og:image]").forEach(meta -> images.put(meta.attr("content"), ""));
    html.select("a[href~=(gif|jpg|png)$]").forEach(link -> images.put(link.absUrl("href"), ""));
    return images;
  }

  private static Optional<Expected> expected(String url, String alt, int port) throws IOException {
    DemoReply reply = reply(url, port);
    if (reply.status() == 301) {
      return expected(String.valueOf(reply.headers().get("Location")), alt, port);
    }
    byte[] file = reply.body().bytes();
    if (reply.status() != 200 || reply.headers().containsKey("X-Robots-Tag")) {
      return Optional.empty();
    }
    try (ImageInputStream in = ImageIO.createImageInputStream(new ByteArrayInputStream(file))) {
      List<ImageReader> readers = new ArrayList<>();
      ImageIO.getImageReaders(in).forEachRemaining(readers::add);
      if (readers.isEmpty()) {
        return Optional.empty();
      }
      ImageReader reader = readers.getFirst();
      reader.setInput(in);
      long width = reader.getWidth(0);
      long height = reader.getHeight(0);
      return width < 64 || height < 64 || width * height > 100_000_000
          ? Optional.empty()
          : Optional.of(
              new Expected(
                  hash(file),
                  "image/" + reader.getFormatName().toLowerCase(Locale.ROOT),
                  (int) width,
                  (int) height,
                  alt));
    }
  }

  private static String hash(byte[] content) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
    } catch (NoSuchAlgorithmException missing) {
      throw new IllegalStateException(missing);
    }
  }

  private Path data() {
    return directory.resolve("data");
  }

  private Said crawl(DemoWeb web) {
    List<String> words =
        new ArrayList<>(
            List.of(
                "crawl",
                web.url(DemoGallery.gallery(), "/"),
                "--images",
                "--image-hash",
                "--purpose",
                "train-ai",
                "--contact",
                "you@example.org",
                "--delay",
                // One request at a time: a host is closed by answers, not by what is in flight.
                "50ms",
                "--data",
                data().toString()));
    SITES.forEach(
        site -> words.addAll(List.of("--resolve", site.name() + ":" + web.port() + ":127.0.0.1")));
    return Commands.run(words.toArray(String[]::new));
  }

  private List<JsonNode> exported() throws IOException {
    Path file = directory.resolve("images.jsonl");
    assertThat(
            Commands.run("export", "images", "--data", data().toString(), "-o", file.toString())
                .code())
        .isZero();
    return Files.readAllLines(file).stream()
        .map(line -> JsonMapper.shared().readTree(line))
        .toList();
  }

  private Set<String> files() throws IOException {
    try (Stream<Path> all = Files.walk(data().resolve("images"))) {
      return all.filter(Files::isRegularFile)
          .map(file -> file.getFileName().toString().replaceFirst("\\..*", ""))
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }

  @Test
  void every_distinct_image_is_taken_once_and_all_counts_equal_an_independent_one()
      throws IOException {
    try (DemoWeb web = DemoWeb.open(SITES)) {
      Counted counted = count(web.port());
      assertThat(counted.pages()).isEqualTo(8);
      assertThat(counted.refused()).isEqualTo(2);

      Said said = crawl(web);
      assertThat(said.code()).isZero();
      assertThat(said.lastLine()).startsWith("done: 8 pages (8 × 200), 6 images");

      List<JsonNode> rows = exported();
      Map<String, Optional<Expected>> found = new TreeMap<>();
      rows.forEach(
          row ->
              found.put(
                  row.get("page").stringValue() + " " + row.get("image_url").stringValue(),
                  expected(row)));
      assertThat(found).isEqualTo(counted.sightings());
      assertThat(rows).hasSize(counted.sightings().size());

      Set<String> distinct =
          counted.sightings().values().stream()
              .flatMap(Optional::stream)
              .map(Expected::sha256)
              .collect(Collectors.toCollection(TreeSet::new));
      assertThat(distinct).hasSize(5);
      assertThat(files()).isEqualTo(distinct);

      // The sites' own log: each URL once, and nothing of what a page or a header refuses.
      List<String> asked =
          SITES.stream()
              .flatMap(site -> web.log(site).stream())
              .map(line -> line.site() + line.path())
              .toList();
      assertThat(asked).doesNotHaveDuplicates().hasSize(32);
      assertThat(asked)
          .contains("pictures.example/reserved.png")
          .doesNotContain(
              "pictures.example/no-training.png",
              "pictures.example/not-in-indexes.png",
              "pictures.example/elm-small.png");
      assertThat(web.sent(DemoGallery.pictures(), DemoGallery.refused())).isZero();
      assertThat(web.sent(DemoGallery.pictures(), DemoGallery.open().keySet())).isPositive();
      assertThat(web.log(DemoGallery.toll()).stream().filter(line -> line.status() == 402))
          .hasSize(5);
      assertThat(Commands.run("doctor", "--data", data().toString()).out()).doesNotContain("WRONG");
    }
  }

  private static Optional<Expected> expected(JsonNode row) {
    return row.has("sha256")
        ? Optional.of(
            new Expected(
                row.get("sha256").stringValue(),
                row.get("media_type").stringValue(),
                row.get("width").intValue(),
                row.get("height").intValue(),
                row.has("alt") ? row.get("alt").stringValue() : ""))
        : Optional.empty();
  }

  @Test
  void the_demo_says_what_it_took_of_the_gallery_and_what_was_sent_of_the_rest() {
    Said said =
        Commands.run(
            "demo", "--delay", "50ms", "--only", "gallery.example,pictures.example,toll.example");
    assertThat(said.code()).isZero();
    assertThat(said.err()).isEmpty();
    assertThat(said.out())
        .contains(
            "The gallery has 5 different pictures that may be used to train a model. The crawl"
                + " took 5, at 6 URLs: 1 image/gif, 1 image/jpeg, 3 image/png; 2 look alike. Of"
                + " pictures that a page or a header refuses, 0 bytes were sent; for 5 pictures it"
                + " was told a price, and paid none.");
  }
}
