package dev.comity.testkit.robots;

import dev.comity.core.outcome.Body;
import dev.comity.core.port.fetch.RobotsReader;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.UrlRefusal;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import tools.jackson.databind.json.JsonMapper;

/**
 * Asks a reader of robots.txt the same questions as any other: rows of a file's text, an agent, a
 * URL and whether that agent may ask for it.
 */
public final class RobotsConformance {
  private final List<RobotsCase> rows;

  private RobotsConformance(List<RobotsCase> rows) {
    this.rows = rows;
  }

  /** The project's own rows, by RFC 9309. */
  public static RobotsConformance own() {
    try (InputStream json =
        Objects.requireNonNull(
            RobotsConformance.class.getResourceAsStream("conformance.json"),
            "conformance.json is part of this artifact")) {
      return of(json.readAllBytes());
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  /** The rows of a JSON file: a list of objects with the fields of {@link RobotsCase}. */
  public static RobotsConformance from(Path json) throws IOException {
    return of(Files.readAllBytes(json));
  }

  private static RobotsConformance of(byte[] json) {
    return new RobotsConformance(List.of(new JsonMapper().readValue(json, RobotsCase[].class)));
  }

  /** How many rows there are. */
  public int size() {
    return rows.size();
  }

  /** The rows that readers made for each row's agent answer wrongly. */
  public List<RobotsCase> failures(Function<String, RobotsReader> readerFor) {
    return rows.stream().filter(row -> row.isAnsweredWrongly(readerFor)).toList();
  }

  /**
   * The rows that prove nothing here, because their URL is none that is ever crawled, such as one
   * that is too long. They are neither right nor wrong: whoever counts must name them.
   */
  public List<RobotsCase> unaskable() {
    return rows.stream().filter(row -> CrawlUrl.parse(row.url()) instanceof UrlRefusal).toList();
  }

  /** One question and its answer. */
  public record RobotsCase(String id, String agent, String url, String robots, boolean allowed) {
    private boolean isAnsweredWrongly(Function<String, RobotsReader> readerFor) {
      return switch (CrawlUrl.parse(url)) {
        case CrawlUrl page -> readerFor.apply(agent).read(Body.of(robots)).allows(page) != allowed;
        case UrlRefusal _ -> false;
      };
    }
  }
}
