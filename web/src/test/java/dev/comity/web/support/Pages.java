package dev.comity.web.support;

import dev.comity.core.outcome.Body;
import dev.comity.core.outcome.FetchOutcome.Success;
import dev.comity.core.outcome.Headers;
import dev.comity.core.port.fetch.LinkExtractor.Extraction;
import dev.comity.core.url.CrawlUrl;
import dev.comity.web.html.HtmlReader;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Pages of one site, read as a crawl reads them. */
public final class Pages {
  public static final CrawlUrl PAGE = CrawlUrl.of("https://site.example/dir/page");
  public static final Instant NOW = Instant.parse("2026-11-16T12:00:00Z");

  private static final HtmlReader READER =
      new HtmlReader("Comity", InstantSource.fixed(NOW), HtmlReader.LONGEST_TEXT);

  private Pages() {}

  /** A page in UTF-8 with these header lines. */
  public static Extraction read(String html, String... headers) {
    Map<String, List<String>> lines = new HashMap<>();
    lines.put("Content-Type", List.of("text/html; charset=utf-8"));
    for (String header : headers) {
      String[] halves = header.split(": ", 2);
      lines.computeIfAbsent(halves[0], _ -> new ArrayList<>()).add(halves[1]);
    }
    return READER.extract(
        PAGE, new Success(200, Headers.of(lines), Body.of(html.getBytes(StandardCharsets.UTF_8))));
  }

  /** These bytes, with this Content-Type. */
  public static Extraction read(String type, byte[] bytes) {
    Headers headers = Headers.of(Map.of("Content-Type", List.of(type)));
    return READER.extract(PAGE, new Success(200, headers, Body.of(bytes)));
  }

  /** Where a page leads. */
  public static List<String> targets(String html, String... headers) {
    return read(html, headers).links().stream().map(CrawlUrl::toString).toList();
  }
}
