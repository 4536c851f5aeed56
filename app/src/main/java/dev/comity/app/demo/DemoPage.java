package dev.comity.app.demo;

import java.util.List;

/** A page of the demo: a title, links, and pictures where there are any. */
record DemoPage(String title, List<String> links, String more) {

  static DemoPage titled(String title, String... links) {
    return new DemoPage(title, List.of(links), "");
  }

  static DemoPage titled(String title, List<String> links) {
    return new DemoPage(title, List.copyOf(links), "");
  }

  /** The same with this markup in its body. */
  DemoPage with(String markup) {
    return new DemoPage(title, links, markup);
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
