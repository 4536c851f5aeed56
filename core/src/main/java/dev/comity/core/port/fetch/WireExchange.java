package dev.comity.core.port.fetch;

import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * A request and its answer as they were on the wire.
 *
 * @param request what was sent; values of headers that only this site gets are removed
 * @param response what came: status line, headers and body, with the body's transfer coding
 * @param head how many bytes of the answer come before its body
 * @param payload how many bytes the body has without its transfer coding
 * @param digest SHA-256 of those bytes, in hexadecimal
 * @param cut why the body is not whole
 * @param address the server's IP address; empty where a proxy lies between
 */
public record WireExchange(
    ByteBuffer request,
    ByteBuffer response,
    int head,
    long payload,
    String digest,
    Optional<CutReason> cut,
    Optional<String> address) {

  /** Why a body ends before its end. */
  public enum CutReason {
    /** No more of it was wanted. */
    LENGTH,
    /** It took too long. */
    TIME,
    /** The connection broke. */
    DISCONNECT
  }
}
