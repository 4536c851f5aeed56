package dev.comity.testkit.wire;

import java.time.Duration;

/** Servers that do what servers should not, one way each; all of them have been met. */
public final class Misbehaviour {
  private static final String PAGE_BEGINS =
      Replies.head("200 OK", "Content-Type: text/html", "Content-Length: 1000000") + "<p>hello";

  private static final String ENDLESS_PAGE = Replies.head("200 OK", "Content-Type: text/html");

  private Misbehaviour() {}

  /** Sends one byte of a header at a time. */
  public static Script slowHeaders(Duration pause) {
    return wire -> {
      wire.request();
      wire.send("HTTP/1.1 200 OK\r\nX-Slow: ");
      wire.trickle("x", pause);
    };
  }

  /** Sends one byte of a body at a time. */
  public static Script slowBody(Duration pause) {
    return wire -> {
      wire.request();
      wire.send(ENDLESS_PAGE);
      wire.trickle("x", pause);
    };
  }

  /** Falls silent in the middle of a body. */
  public static Script stallingBody() {
    return wire -> {
      wire.request();
      wire.send(PAGE_BEGINS);
      wire.hold();
    };
  }

  /** Sends a page that has no end. */
  public static Script endlessBody() {
    return wire -> {
      wire.request();
      wire.send(ENDLESS_PAGE);
      wire.flood("<p>more ");
    };
  }

  /** Sends one header that has no end. */
  public static Script endlessHeader() {
    return wire -> {
      wire.request();
      wire.send("HTTP/1.1 200 OK\r\nX-Long: ");
      wire.flood("x");
    };
  }

  /** Sends headers, one after the other, for ever. */
  public static Script endlessHeaders() {
    return wire -> {
      wire.request();
      wire.send("HTTP/1.1 200 OK\r\n");
      wire.flood("X-Many: yes\r\n");
    };
  }

  /** Announces the answer for ever. */
  public static Script interimStorm() {
    return wire -> {
      wire.request();
      wire.flood("HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n");
    };
  }

  /** Breaks the connection off before a request can be read. */
  public static Script resetAtOnce() {
    return Wire::reset;
  }

  /** Reads the request and breaks the connection off. */
  public static Script resetAfterRequest() {
    return wire -> {
      wire.request();
      wire.reset();
    };
  }

  /** Sends the headers and breaks the connection off. */
  public static Script resetAfterHeaders() {
    return wire -> {
      wire.request();
      wire.send(PAGE_BEGINS.substring(0, PAGE_BEGINS.indexOf("<p>")));
      wire.reset();
    };
  }

  /** Sends a part of the body and breaks the connection off. */
  public static Script resetInBody() {
    return wire -> {
      wire.request();
      wire.send(PAGE_BEGINS);
      wire.reset();
    };
  }

  /** Sends this after the end of its answer, and would answer the next request properly. */
  public static Script leftover(String reply, String rest) {
    return wire -> {
      wire.request();
      wire.send(reply + rest);
      while (wire.request().isPresent()) {
        wire.send(reply);
      }
    };
  }
}
