package dev.comity.app.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.comity.app.support.Said;
import dev.comity.app.support.Shelf;
import dev.comity.parquet.ParquetRows;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Shards are read by the system's tar. */
class ImageShardsTest {
  @TempDir private Path home;

  private Path data() {
    return home.resolve("data");
  }

  /** Images of these contents; the first is seen twice. */
  private Shelf planted(String... contents) throws Exception {
    Shelf shelf = Shelf.small(data());
    int number = 0;
    for (String content : contents) {
      number++;
      byte[] bytes = content.getBytes(StandardCharsets.UTF_8);
      String hash = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
      Path file = data().resolve("images/" + hash.substring(0, 2) + "/" + hash + ".jpg");
      Files.createDirectories(file.getParent());
      Files.write(file, bytes);
      shelf.run(
          "INSERT INTO images (id, sha256, media_type, ending, bytes, width, height, kept,"
              + " first_seen_at, last_seen_at) VALUES (%d, x'%s', 'image/jpeg', 'jpg', %d, 30, 20,"
                  .formatted(number, hash, bytes.length)
              + " 1, 1700000000000, 1700000000000)");
      for (int sighting = 0; sighting < (number == 1 ? 2 : 1); sighting++) {
        shelf.run(
            "INSERT INTO provenance (image_id, image_url, image_key, url_id, page_url_id,"
                + " source_domain, found_in, alt, first_seen_at, last_seen_at) VALUES (%d,"
                    .formatted(number)
                + " 'https://able.example/%d.jpg', %d, 1, %d, 'able.example', 'img', 'Ä %d',"
                    .formatted(number, number, sighting + 1, number)
                + " 1700000001000, 1700000001000)");
      }
    }
    return shelf;
  }

  private static String tar(String... arguments) throws IOException, InterruptedException {
    Process tar = new ProcessBuilder(arguments).redirectErrorStream(true).start();
    String out = new String(tar.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(tar.waitFor()).as(out).isZero();
    return out;
  }

  @Test
  void tar_sees_each_kept_image_once_with_its_words() throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/bin/tar")), "this system has no tar");
    Shelf shelf = planted("one", "two".repeat(1000), "three");
    Path out = home.resolve("shards");
    Said said = shelf.said("export", "webdataset", "--out", out.toString(), "--shard-size", "2");
    assertThat(said.err()).isEmpty();
    assertThat(said.code()).isZero();
    try (Stream<Path> files = Files.list(out)) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrder("00000.tar", "00000.parquet", "00001.tar", "00001.parquet");
    }
    String first = out.resolve("00000.tar").toString();
    assertThat(tar("tar", "tf", first).lines())
        .containsExactly(
            "000000.jpg", "000000.txt", "000000.json", "000001.jpg", "000001.txt", "000001.json");
    assertThat(tar("tar", "tf", out.resolve("00001.tar").toString()).lines()).hasSize(3);
    assertThat(tar("tar", "xOf", first, "000001.jpg")).isEqualTo("two".repeat(1000));
    assertThat(tar("tar", "xOf", first, "000000.txt")).isEqualTo("Ä 1");
    JsonNode json = new JsonMapper().readTree(tar("tar", "xOf", first, "000000.json"));
    assertThat(json.get("url").stringValue()).isEqualTo("https://able.example/1.jpg");
    assertThat(json.get("status").stringValue()).isEqualTo("success");
    assertThat(json.get("original_width").longValue()).isEqualTo(30);
    try (Stream<Map<String, String>> rows = ParquetRows.read(out.resolve("00000.parquet"))) {
      List<Map<String, String>> all = rows.toList();
      assertThat(all).hasSize(2);
      assertThat(new TreeMap<>(all.getFirst()))
          .containsEntry("key", "000000")
          .containsEntry("caption", "Ä 1")
          .containsEntry("width", "30")
          .containsEntry("sha256", json.get("sha256").stringValue());
    }
    byte[] before = Files.readAllBytes(Path.of(first));
    shelf.said("export", "webdataset", "--out", out.toString(), "--shard-size", "2");
    assertThat(Files.readAllBytes(Path.of(first))).isEqualTo(before);
  }

  @Test
  void an_image_whose_file_is_gone_is_left_out_and_counted() throws Exception {
    Shelf shelf = planted("one", "two");
    try (Stream<Path> files = Files.walk(data().resolve("images"))) {
      for (Path file : files.filter(Files::isRegularFile).limit(1).toList()) {
        Files.delete(file);
      }
    }
    Path out = home.resolve("shards");
    Said said = shelf.said("export", "webdataset", "--out", out.toString());
    assertThat(said.code()).isZero();
    assertThat(said.err()).isEqualTo("comity: 1 image left out, their files are gone\n");
  }

  @Test
  void shards_need_a_directory_and_take_every_image() throws Exception {
    Shelf shelf = planted("one");
    assertThat(shelf.said("export", "webdataset").err())
        .contains("shards need a directory: say it with --out DIR");
    assertThat(shelf.said("export", "webdataset", "--out", "x", "--run", "1").err())
        .contains("shards hold every kept image: leave out --run");
  }
}
