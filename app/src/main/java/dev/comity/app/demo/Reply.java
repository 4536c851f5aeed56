package dev.comity.app.demo;

import java.util.Map;

/** What a site of the demo says. */
record Reply(int status, Map<String, String> headers, String body) {

  static Reply html(String html) {
    return html(200, html);
  }

  static Reply html(int status, String html) {
    return new Reply(status, Map.of("Content-Type", "text/html; charset=utf-8"), html);
  }

  static Reply text(String text) {
    return new Reply(200, Map.of("Content-Type", "text/plain; charset=utf-8"), text);
  }

  static Reply redirect(String target) {
    return of(301, Map.of("Location", target));
  }

  /** A refusal, a failure or a redirect: what matters is in the headers. */
  static Reply of(int status, Map<String, String> headers) {
    return new Reply(status, headers, "");
  }

  static Reply notFound() {
    return html(404, DemoPage.titled("Nothing here").html());
  }
}
