package dev.comity.app.demo;

import java.util.Map;

/** What a site of the demo says. */
record DemoReply(int status, Map<String, String> headers, String body) {

  static DemoReply html(String html) {
    return html(200, html);
  }

  static DemoReply html(int status, String html) {
    return new DemoReply(status, Map.of("Content-Type", "text/html; charset=utf-8"), html);
  }

  static DemoReply text(String text) {
    return new DemoReply(200, Map.of("Content-Type", "text/plain; charset=utf-8"), text);
  }

  static DemoReply redirect(String target) {
    return of(301, Map.of("Location", target));
  }

  /** A refusal, a failure or a redirect: what matters is in the headers. */
  static DemoReply of(int status, Map<String, String> headers) {
    return new DemoReply(status, headers, "");
  }

  static DemoReply notFound() {
    return html(404, DemoPage.titled("Nothing here").html());
  }
}
