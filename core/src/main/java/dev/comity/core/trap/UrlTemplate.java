package dev.comity.core.trap;

import dev.comity.core.url.CrawlUrl;
import java.util.Optional;
import java.util.TreeSet;

/**
 * What the URLs that one rule of a site's software makes have in common: {@code /shop/*?color&size}
 * for {@code /shop/shirts?size=l&color=red}. Numbers are {@code #}, long codes {@code ~}, and the
 * last name of a path {@code *}, unless little but its numbers tells it from others. Parameters
 * stand in order, without their values.
 *
 * @param path of the template
 * @param query its parameters' names after a question mark, or nothing
 */
record UrlTemplate(String path, String query) {
  /** Everything that carries a session, wherever it is. */
  static final String SESSIONS = "/**;";

  private static final int MOST_NAMES = 12;

  static UrlTemplate of(CrawlUrl url) {
    return of(UrlParts.of(url));
  }

  static UrlTemplate of(UrlParts parts) {
    Optional<String> session = parts.session();
    if (session.isPresent()) {
      return new UrlTemplate(SESSIONS + session.get(), "");
    }
    PathWriter writer = new PathWriter();
    return new UrlTemplate(path(parts, writer), query(parts, writer));
  }

  String text() {
    return query.isEmpty() ? path : path + query;
  }

  /** The first directory of its path, or the root. */
  String top() {
    return top(path);
  }

  static String top(String text) {
    int query = text.indexOf('?');
    int slash = text.indexOf('/', 1);
    return slash < 0 || (query >= 0 && query < slash) ? "/" : text.substring(0, slash + 1);
  }

  private static String path(UrlParts parts, PathWriter writer) {
    writer.path(parts.path(), 0, parts.path().length());
    return writer.toString();
  }

  private static String query(UrlParts parts, PathWriter writer) {
    if (parts.parameters().isEmpty()) {
      return parts.hasQuery() ? "?" : "";
    }
    TreeSet<String> names = new TreeSet<>();
    for (UrlParts.Parameter parameter : parts.parameters()) {
      writer.name(parameter.name());
      names.add(writer.toString());
    }
    return "?" + (names.size() > MOST_NAMES ? "*" : String.join("&", names));
  }
}
