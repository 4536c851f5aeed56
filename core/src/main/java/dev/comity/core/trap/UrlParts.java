package dev.comity.core.trap;

import dev.comity.core.url.CrawlUrl;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A URL's target taken apart.
 *
 * @param path without query and without what follows a semicolon in a segment
 * @param parameters name and value each, of the path and of the query
 */
record UrlParts(String path, List<Parameter> parameters, boolean hasQuery) {
  record Parameter(String name, String value) {
    static Parameter of(String text) {
      int equals = text.indexOf('=');
      return equals < 0
          ? new Parameter(text, "")
          : new Parameter(text.substring(0, equals), text.substring(equals + 1));
    }
  }

  static UrlParts of(CrawlUrl url) {
    String target = url.target();
    int question = target.indexOf('?');
    String path = question < 0 ? target : target.substring(0, question);
    if (question < 0 && path.indexOf(';') < 0) {
      return new UrlParts(path, List.of(), false);
    }
    List<Parameter> parameters = new ArrayList<>();
    if (path.indexOf(';') >= 0) {
      path = withoutParameters(path, parameters);
    }
    if (question >= 0) {
      for (String one : target.substring(question + 1).split("&", -1)) {
        if (!one.isEmpty()) {
          parameters.add(Parameter.of(one));
        }
      }
    }
    return new UrlParts(path, List.copyOf(parameters), question >= 0);
  }

  /** Whether a URL, as nearly every link, has no parameters: then it is its path alone. */
  static boolean hasNone(CrawlUrl url) {
    String text = url.toString();
    return text.indexOf('?') < 0 && text.indexOf(';') < 0;
  }

  private static String withoutParameters(String path, List<Parameter> parameters) {
    StringBuilder bare = new StringBuilder();
    for (String segment : path.split("/", -1)) {
      String[] pieces = segment.split(";", -1);
      bare.append('/').append(pieces.length == 0 ? "" : pieces[0]);
      for (int i = 1; i < pieces.length; i++) {
        parameters.add(Parameter.of(pieces[i]));
      }
    }
    return bare.substring(1);
  }

  /** The names between slashes; empty ones are none. */
  List<String> segments() {
    List<String> segments = new ArrayList<>();
    for (int from = 0; from < path.length(); ) {
      int slash = path.indexOf('/', from);
      int to = slash < 0 ? path.length() : slash;
      if (to > from) {
        segments.add(path.substring(from, to));
      }
      from = to + 1;
    }
    return segments;
  }

  /** The session it belongs to, where it carries one. */
  Optional<String> session() {
    for (Parameter one : parameters) {
      Optional<String> name = SessionIds.name(one.name(), one.value());
      if (name.isPresent()) {
        return name;
      }
    }
    return Optional.empty();
  }

  /** Each parameter with its value, as a hash. */
  LongSet values() {
    LongSet values = new LongSet();
    for (Parameter one : parameters) {
      values.add(Hashes.of(one.name() + "=" + one.value()));
    }
    return values;
  }
}
