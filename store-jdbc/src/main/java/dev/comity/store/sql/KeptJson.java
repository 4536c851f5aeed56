package dev.comity.store.sql;

import dev.comity.core.port.fetch.KeptPage.PageLink;
import dev.comity.core.url.CrawlUrl;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/**
 * What is kept of a page, as JSON: selected fields, links and headers. A text that is no JSON of
 * ours reads as nothing: it was kept for people, and no crawl depends on it.
 */
public final class KeptJson {
  private static final JsonFactory JSON = new JsonFactory();

  private KeptJson() {}

  static Optional<String> fields(Map<String, List<String>> fields) {
    return fields.isEmpty()
        ? Optional.empty()
        : Optional.of(
            written(
                json -> {
                  json.writeStartObject();
                  fields.forEach(
                      (name, values) -> {
                        json.writeName(name);
                        json.writeStartArray();
                        values.forEach(json::writeString);
                        json.writeEndArray();
                      });
                  json.writeEndObject();
                }));
  }

  static Optional<String> headers(Map<String, String> headers) {
    return headers.isEmpty()
        ? Optional.empty()
        : Optional.of(
            written(
                json -> {
                  json.writeStartObject();
                  headers.forEach(json::writeStringProperty);
                  json.writeEndObject();
                }));
  }

  static Optional<String> links(List<PageLink> links) {
    return links.isEmpty()
        ? Optional.empty()
        : Optional.of(
            written(
                json -> {
                  json.writeStartArray();
                  for (PageLink link : links) {
                    json.writeStartArray();
                    json.writeString(link.to().toString());
                    json.writeString(link.text());
                    json.writeString(link.rel());
                    json.writeEndArray();
                  }
                  json.writeEndArray();
                }));
  }

  private static String written(Consumer<JsonGenerator> writer) {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = JSON.createGenerator(ObjectWriteContext.empty(), text)) {
      writer.accept(json);
    }
    return text.toString();
  }

  /** Selected fields by name. */
  public static Map<String, List<String>> readFields(String text) {
    Map<String, List<String>> fields = new LinkedHashMap<>();
    read(
        text,
        json -> {
          while (json.nextToken() == JsonToken.PROPERTY_NAME) {
            String name = json.currentName();
            json.nextToken();
            fields.put(name, strings(json));
          }
        });
    return fields;
  }

  /** Headers by name. */
  public static Map<String, String> readHeaders(String text) {
    Map<String, String> headers = new LinkedHashMap<>();
    read(
        text,
        json -> {
          while (json.nextToken() == JsonToken.PROPERTY_NAME) {
            String name = json.currentName();
            json.nextToken();
            headers.put(name, json.getString());
          }
        });
    return headers;
  }

  /** Links in the order of the page. */
  public static List<PageLink> readLinks(String text) {
    List<PageLink> links = new ArrayList<>();
    read(
        text,
        json -> {
          while (json.nextToken() == JsonToken.START_ARRAY) {
            List<String> parts = strings(json);
            if (parts.size() == 3 && CrawlUrl.parse(parts.get(0)) instanceof CrawlUrl to) {
              links.add(new PageLink(to, parts.get(1), parts.get(2)));
            }
          }
        });
    return links;
  }

  /** Reads the strings of an array whose first bracket was read. */
  private static List<String> strings(JsonParser json) {
    List<String> strings = new ArrayList<>();
    while (json.nextToken() == JsonToken.VALUE_STRING) {
      strings.add(json.getString());
    }
    return strings;
  }

  /** Opens the outermost object or array; what was read before an error stays. */
  private static void read(String text, Consumer<JsonParser> reader) {
    try (JsonParser json = JSON.createParser(ObjectReadContext.empty(), text)) {
      if (json.nextToken() != null) {
        reader.accept(json);
      }
    } catch (JacksonException _) {
      // Not ours.
    }
  }
}
