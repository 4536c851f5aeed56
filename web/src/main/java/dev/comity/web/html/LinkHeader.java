package dev.comity.web.html;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The header line {@code Link}, by RFC 8288. */
final class LinkHeader {
  private final String line;
  private int at;

  private LinkHeader(String line) {
    this.line = line;
  }

  /**
   * @param rel what it is to the page: words in lower case with spaces between
   */
  record LinkValue(String reference, String rel) {}

  /** The links in it. What is not understood ends the line. */
  static List<LinkValue> links(String line) {
    return new LinkHeader(line).read();
  }

  private List<LinkValue> read() {
    List<LinkValue> links = new ArrayList<>();
    while (true) {
      skip(", \t");
      int end = at < line.length() && line.charAt(at) == '<' ? line.indexOf('>', at) : -1;
      if (end < 0) {
        return links;
      }
      String reference = line.substring(at + 1, end);
      at = end + 1;
      links.add(new LinkValue(reference, rel()));
    }
  }

  /**
   * Reads the parameters; of several rel only the first counts, and what has an anchor is not ours.
   */
  private String rel() {
    String rel = "";
    boolean aboutAnother = false;
    skip(" \t");
    while (at < line.length() && line.charAt(at) == ';') {
      at++;
      skip(" \t;");
      String name = word("=,; \t").toLowerCase(Locale.ROOT);
      skip(" \t");
      String value = "";
      if (at < line.length() && line.charAt(at) == '=') {
        at++;
        skip(" \t");
        value = at < line.length() && line.charAt(at) == '"' ? quoted() : word(",; \t");
      }
      if (name.equals("rel") && rel.isEmpty()) {
        rel = value.toLowerCase(Locale.ROOT);
      }
      aboutAnother |= name.equals("anchor");
      skip(" \t");
    }
    return aboutAnother ? "" : rel;
  }

  private String word(String ends) {
    int start = at;
    while (at < line.length() && ends.indexOf(line.charAt(at)) < 0) {
      at++;
    }
    return line.substring(start, at);
  }

  private String quoted() {
    StringBuilder text = new StringBuilder();
    for (at++; at < line.length() && line.charAt(at) != '"'; at++) {
      if (line.charAt(at) == '\\' && at + 1 < line.length()) {
        at++;
      }
      text.append(line.charAt(at));
    }
    at = Math.min(at + 1, line.length());
    return text.toString();
  }

  private void skip(String characters) {
    while (at < line.length() && characters.indexOf(line.charAt(at)) >= 0) {
      at++;
    }
  }
}
