package dev.comity.web.http;

import dev.comity.core.port.fetch.WireExchange;
import dev.comity.core.port.fetch.WireExchange.CutReason;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Records one answer as it comes, byte by byte, for an archive. It belongs to the thread of the
 * fetch. Its memory counts as that of the body: what it grows by is reserved first.
 */
final class WireTape {
  private static final int FIRST = 16 << 10;

  private final MessageDigest digest = sha256();
  private byte[] bytes = new byte[FIRST];
  private int length;
  private int head = -1;
  private long payload;
  private long body;
  private boolean whole;
  private @Nullable IOException failure;
  private @Nullable InetAddress address;
  private final Growth growth;

  /** Waits for memory for so many bytes of body and tape together. */
  @FunctionalInterface
  interface Growth {
    void upTo(long length) throws InterruptedException;
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException(impossible);
    }
  }

  WireTape(Growth growth) {
    this.growth = growth;
  }

  /** The connection to this server is about to be used. */
  void begin(InetAddress server) {
    address = server;
  }

  /** A head begins, perhaps after one that only announced it. */
  void beginHead() {
    length = 0;
  }

  void endHead() {
    head = length;
  }

  /** A part of the head, or what frames the body. */
  void framing(byte[] from, int start, int end) throws IOException {
    append(from, start, end - start);
  }

  /** A part of the body. */
  void body(byte[] from, int start, int count) throws IOException {
    digest.update(from, start, count);
    payload += count;
    append(from, start, count);
  }

  private void append(byte[] from, int start, int count) throws IOException {
    if (count > bytes.length - length) {
      int size = (int) Math.min(Integer.MAX_VALUE - 8, 2L * Math.max(bytes.length, count + length));
      reserve(body, size);
      bytes = Arrays.copyOf(bytes, size);
    }
    System.arraycopy(from, start, bytes, length, count);
    length += count;
  }

  /** The body, decoded, takes so many bytes beside the tape. */
  void decodedUpTo(long size) throws InterruptedException {
    body = size;
    growth.upTo(body + (bytes.length > FIRST ? bytes.length : 0));
  }

  private void reserve(long decoded, long size) throws IOException {
    try {
      growth.upTo(decoded + size);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("the fetch was stopped");
    }
  }

  /** The body was read to its end, or not. */
  void end(boolean isWhole) {
    whole = isWhole;
  }

  void failed(IOException thrown) {
    failure = thrown;
  }

  /**
   * The exchange, if an answer came.
   *
   * @param direct whether the connection leads to the server itself
   */
  Optional<WireExchange> exchange(byte[] request, boolean direct) {
    if (head < 0) {
      return Optional.empty();
    }
    Optional<String> server =
        direct ? Optional.ofNullable(address).map(InetAddress::getHostAddress) : Optional.empty();
    return Optional.of(
        new WireExchange(
            ByteBuffer.wrap(request),
            ByteBuffer.wrap(bytes, 0, length),
            head,
            payload,
            HexFormat.of().formatHex(digest.digest()),
            cut(),
            server.map(text -> text.replaceFirst("%.*", ""))));
  }

  private Optional<CutReason> cut() {
    if (whole) {
      return Optional.empty();
    }
    return Optional.of(
        switch (failure) {
          case null -> CutReason.LENGTH;
          case InterruptedIOException _ -> CutReason.TIME;
          case IOException _ -> CutReason.DISCONNECT;
        });
  }
}
