package dev.comity.app.demo;

import dev.comity.core.outcome.Body;
import java.util.Map;

/**
 * What a site of the demo says.
 *
 * @param waits whether the body follows only if the visitor has not left after the header
 */
record DemoReply(int status, Map<String, String> headers, Body body, boolean waits) {
  private static final String TYPE = "Content-Type";

  static DemoReply html(String html) {
    return html(200, html);
  }

  static DemoReply html(int status, String html) {
    return new DemoReply(status, Map.of(TYPE, "text/html; charset=utf-8"), Body.of(html), false);
  }

  static DemoReply text(String text) {
    return new DemoReply(200, Map.of(TYPE, "text/plain; charset=utf-8"), Body.of(text), false);
  }

  /** A file of which the site says that it is a JPEG. */
  static DemoReply picture(Body file) {
    return new DemoReply(200, Map.of(TYPE, "image/jpeg"), file, false);
  }

  /** A picture whose header refuses a use. */
  static DemoReply reserved(Body file) {
    return new DemoReply(200, Map.of(TYPE, "image/jpeg", "X-Robots-Tag", "noai"), file, true);
  }

  static DemoReply redirect(String target) {
    return of(301, Map.of("Location", target));
  }

  /** A refusal, a failure or a redirect: what matters is in the headers. */
  static DemoReply of(int status, Map<String, String> headers) {
    return new DemoReply(status, headers, Body.EMPTY, false);
  }

  static DemoReply notFound() {
    return html(404, DemoPage.titled("Nothing here").html());
  }
}
