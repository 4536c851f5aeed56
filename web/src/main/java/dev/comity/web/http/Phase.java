package dev.comity.web.http;

/** How far a request got. */
enum Phase {
  RESOLVING("looking up the name"),
  CONNECTING("connecting"),
  SECURING("in the TLS handshake"),
  SENDING("sending the request"),
  WAITING("waiting for the answer"),
  READING("reading the body");

  private final String words;

  Phase(String words) {
    this.words = words;
  }

  /** Fits after "while" in a sentence. */
  String words() {
    return words;
  }
}
