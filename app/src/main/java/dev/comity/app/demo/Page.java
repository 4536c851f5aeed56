package dev.comity.app.demo;

import java.util.List;

/** A page of the demo: a title, links, and pictures where there are any. */
record Page(String title, List<String> links, String more) {

  static Page titled(String title, String... links) {
    return new Page(title, List.of(links), "");
  }

  static Page titled(String title, List<String> links) {
    return new Page(title, List.copyOf(links), "");
  }

  /** The same with this markup in its body. */
  Page with(String markup) {
    return new Page(title, links, markup);
  }

  String html() {
    StringBuilder html =
        new StringBuilder(
            "<!doctype html><html lang=en><title>" + title + "</title><h1>" + title + "</h1>");
    html.append("<p>").append(title).append(" is a page of its own.").append(more);
    for (String link : links) {
      html.append("<p><a href=\"").append(link).append("\">").append(link).append("</a>");
    }
    return html.append("</html>").toString();
  }
}
