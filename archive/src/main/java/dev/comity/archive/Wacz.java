package dev.comity.archive;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.StringWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.CRC32;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/**
 * Packs an archive into one WACZ file (version 1.1.1): the WARC files as they are, their index, the
 * list of pages, and the SHA-256 of each. A viewer reads parts of it over the network, so WARC
 * files and index are stored, not packed a second time.
 */
public final class Wacz {
  private static final JsonFactory JSON = new JsonFactory();
  private static final int BUFFER = 1 << 16;

  private final ZipOutputStream zip;
  private final List<Resource> resources = new ArrayList<>();
  private final Instant created;

  /** A file of the package. */
  private record Resource(String path, String hash, long bytes) {}

  /** Writes JSON. */
  @FunctionalInterface
  private interface JsonText {
    void write(JsonGenerator json);
  }

  private Wacz(ZipOutputStream zip, Instant created) {
    this.zip = zip;
    this.created = created;
  }

  /**
   * Packs every finished WARC file of a directory.
   *
   * @param software what the package says it was made with
   * @return how many pages it lists
   */
  public static long write(Path directory, OutputStream out, String software, Instant now)
      throws IOException {
    List<Path> files = ArchiveIndex.files(directory);
    Path index = Files.createTempFile("comity", ".cdxj");
    Path pages = Files.createTempFile("comity", ".jsonl");
    try (ZipOutputStream zip = new ZipOutputStream(out)) {
      Wacz wacz = new Wacz(zip, now);
      long[] listed = {0};
      try (Writer lines = Files.newBufferedWriter(index);
          Writer page = Files.newBufferedWriter(pages)) {
        page.write(
            json(
                    json -> {
                      json.writeStringProperty("format", "json-pages-1.0");
                      json.writeStringProperty("id", "pages");
                      json.writeStringProperty("title", "All Pages");
                    })
                + "\n");
        ArchiveIndex.write(
            files,
            lines,
            entry -> {
              if (entry.isPage()) {
                page.write(page(entry, ++listed[0]) + "\n");
              }
            });
      }
      for (Path file : files) {
        wacz.store("archive/" + file.getFileName(), file);
      }
      wacz.store("indexes/index.cdxj", index);
      wacz.store("pages/pages.jsonl", pages);
      wacz.describe(software);
      return listed[0];
    } finally {
      Files.deleteIfExists(index);
      Files.deleteIfExists(pages);
    }
  }

  private static String page(CdxEntry entry, long number) {
    return json(
        json -> {
          json.writeStringProperty("id", Long.toString(number));
          json.writeStringProperty("url", entry.url());
          json.writeStringProperty("ts", RecordHeader.date(entry.at()));
          entry.title().ifPresent(title -> json.writeStringProperty("title", title));
        });
  }

  private static String json(JsonText text) {
    StringWriter out = new StringWriter();
    try (JsonGenerator json = JSON.createGenerator(ObjectWriteContext.empty(), out)) {
      json.writeStartObject();
      text.write(json);
      json.writeEndObject();
    }
    return out.toString();
  }

  /** Adds a file as it is. A stored entry says its size and check sum first: it is read twice. */
  private void store(String name, Path file) throws IOException {
    CRC32 crc = new CRC32();
    MessageDigest digest = sha256();
    long size = 0;
    byte[] buffer = new byte[BUFFER];
    try (InputStream in = Files.newInputStream(file)) {
      for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
        crc.update(buffer, 0, count);
        digest.update(buffer, 0, count);
        size += count;
      }
    }
    ZipEntry entry = new ZipEntry(name);
    entry.setMethod(ZipEntry.STORED);
    entry.setSize(size);
    entry.setCrc(crc.getValue());
    entry.setTimeLocal(created.atOffset(java.time.ZoneOffset.UTC).toLocalDateTime());
    zip.putNextEntry(entry);
    Files.copy(file, zip);
    zip.closeEntry();
    resources.add(new Resource(name, "sha256:" + HexFormat.of().formatHex(digest.digest()), size));
  }

  private void describe(String software) throws IOException {
    String text =
        json(
            json -> {
              json.writeStringProperty("profile", "data-package");
              json.writeStringProperty("wacz_version", "1.1.1");
              json.writeStringProperty("created", RecordHeader.date(created));
              json.writeStringProperty("software", software);
              json.writeArrayPropertyStart("resources");
              for (Resource each : resources) {
                json.writeStartObject();
                json.writeStringProperty(
                    "name", each.path().substring(each.path().lastIndexOf('/') + 1));
                json.writeStringProperty("path", each.path());
                json.writeStringProperty("hash", each.hash());
                json.writeNumberProperty("bytes", each.bytes());
                json.writeEndObject();
              }
              json.writeEndArray();
            });
    byte[] description = text.getBytes(StandardCharsets.UTF_8);
    small("datapackage.json", description);
    String hash = "sha256:" + HexFormat.of().formatHex(sha256().digest(description));
    small(
        "datapackage-digest.json",
        json(json -> {
              json.writeStringProperty("path", "datapackage.json");
              json.writeStringProperty("hash", hash);
            })
            .getBytes(StandardCharsets.UTF_8));
  }

  private void small(String name, byte[] bytes) throws IOException {
    ZipEntry entry = new ZipEntry(name);
    entry.setTimeLocal(created.atOffset(java.time.ZoneOffset.UTC).toLocalDateTime());
    zip.putNextEntry(entry);
    zip.write(bytes);
    zip.closeEntry();
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
