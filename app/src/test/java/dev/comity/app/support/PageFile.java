package dev.comity.app.support;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A file of JSON Lines as a strict reader sees it: valid UTF-8, every line one object with each
 * field once, and a line end after the last.
 */
public record PageFile(Path path) {
  private static final JsonMapper STRICT =
      JsonMapper.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

  public String text() {
    try {
      // A decoder of its own complains where Files.readString would, and says so for any bytes.
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(Files.readAllBytes(path)))
          .toString();
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }

  /** Its pages in order. */
  public List<JsonNode> pages() {
    return pages(text());
  }

  public static List<JsonNode> pages(String text) {
    if (text.isEmpty()) {
      return List.of();
    }
    if (!text.endsWith("\n")) {
      throw new AssertionError("the last line is cut: " + text);
    }
    List<JsonNode> pages = new ArrayList<>();
    // Not String.lines(), which would forgive a carriage return inside a line.
    for (String line : Arrays.asList(text.split("\n"))) {
      JsonNode page = STRICT.readTree(line);
      if (!page.isObject()) {
        throw new AssertionError("not an object: " + line);
      }
      pages.add(page);
    }
    return pages;
  }

  /** The status of every page by its URL, each of which may be there only once. */
  public Map<String, Integer> statuses() {
    Map<String, Integer> statuses = new LinkedHashMap<>();
    for (JsonNode page : pages()) {
      if (statuses.put(page.get("url").stringValue(), page.get("status").intValue()) != null) {
        throw new AssertionError("twice: " + page);
      }
    }
    return statuses;
  }

  public JsonNode page(String url) {
    return pages().stream()
        .filter(page -> page.get("url").stringValue().equals(url))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no line for " + url + " in " + text()));
  }
}
