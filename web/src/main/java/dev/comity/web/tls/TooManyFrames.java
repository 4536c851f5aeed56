package dev.comity.web.tls;

import java.io.IOException;

/** A server sent more beside its answers than any answer needs. */
public final class TooManyFrames extends IOException {
  private static final long serialVersionUID = 1;

  TooManyFrames() {
    super("too many frames");
  }
}
