package dev.comity.web.http;

import dev.comity.core.outcome.Body;
import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.outcome.FetchOutcome.Success;
import dev.comity.core.outcome.FetchOutcome.TooLarge;
import dev.comity.core.outcome.FetchOutcome.Undecodable;
import dev.comity.core.outcome.FetchOutcome.WrongType;
import dev.comity.core.outcome.Headers;
import dev.comity.core.port.fetch.Fetcher.Want;
import dev.comity.core.util.Printable;
import dev.comity.web.http.CappedStream.OverCap;
import dev.comity.web.image.FetchedImages;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Reads the body of a 2xx while it arrives, never more than the settings allow at any layer: a
 * nested compression bomb is small at both ends and large only in the middle.
 */
final class BodyReader {
  /** Most pages are no longer. */
  private static final int FIRST = 32 << 10;

  private static final int TDMREP_LIMIT = 256 << 10;

  /** A longer body is not kept as it came: few pages are. */
  private static final int MOST_RECEIVED = 64 << 10;

  private static final long UNKNOWN = -1;

  private final FetchSettings settings;

  BodyReader(FetchSettings settings) {
    this.settings = settings;
  }

  /** Waits until there is memory for a body of so many bytes in all. */
  @FunctionalInterface
  interface Reservation {
    void upTo(long length) throws InterruptedException;
  }

  /** What was read, and how many bytes of it came over the wire. */
  record ReadBody(FetchOutcome outcome, long wireBytes) {}

  /**
   * @param wire the body as it arrives
   * @param keepsReceived whether a body packed by gzip is to be had as it came, too
   * @param reservation asked before the first byte is read, and before the body grows
   * @throws IOException if the wire failed; what is wrong with the bytes themselves is an outcome
   */
  ReadBody read(
      int code,
      Headers headers,
      Want want,
      InputStream wire,
      boolean keepsReceived,
      Reservation reservation)
      throws IOException, InterruptedException {
    Optional<String> type = type(headers);
    if (want == Want.PAGE && !Sniff.mayBePage(type) && !isAccepted(type)) {
      return new ReadBody(
          new WrongType(code, Printable.text(Printable.cut(type.orElseThrow()))), 0);
    }
    Optional<List<ContentCoding>> layers =
        ContentCoding.layers(headers.elements("content-encoding"));
    if (layers.isEmpty()) {
      String shown =
          Printable.text(Printable.cut(String.join(", ", headers.all("content-encoding"))));
      return new ReadBody(new Undecodable(code, "an encoding we did not ask for: " + shown), 0);
    }
    if (layers.get().size() > ContentCoding.MOST_LAYERS) {
      String detail = layers.get().size() + " layers of encoding";
      return new ReadBody(new Undecodable(code, detail), 0);
    }
    CappedStream capped =
        new CappedStream(wire, layers.get().isEmpty() ? Long.MAX_VALUE : settings.pageLimit());
    if (keepsReceived && layers.get().equals(List.of(ContentCoding.GZIP))) {
      capped.keepUpTo(MOST_RECEIVED);
    }
    FetchOutcome outcome =
        decoded(
            code,
            headers,
            type,
            want,
            layers.get(),
            capped,
            length -> reservation.upTo(length + capped.kept()));
    return new ReadBody(withReceived(outcome, capped), capped.passed());
  }

  private static FetchOutcome withReceived(FetchOutcome outcome, CappedStream wire) {
    return wire.received().isPresent()
            && outcome instanceof Success(var code, var headers, var body)
            && body.length() > 0
        ? new Success(code, headers, Body.of(body.bytes(), wire.received().get()))
        : outcome;
  }

  private FetchOutcome decoded(
      int code,
      Headers headers,
      Optional<String> type,
      Want want,
      List<ContentCoding> layers,
      CappedStream wire,
      Reservation reservation)
      throws IOException, InterruptedException {
    long announced = layers.isEmpty() ? Framing.length(headers).orElse(UNKNOWN) : UNKNOWN;
    try (InputStream in = layered(layers, wire)) {
      return switch (want) {
        case ROBOTS -> beginning(code, headers, in, announced, settings.robotsLimit(), reservation);
        case TDMREP -> beginning(code, headers, in, announced, TDMREP_LIMIT, reservation);
        case SITEMAP -> beginning(code, headers, in, announced, settings.pageLimit(), reservation);
        case PAGE ->
            chosen(
                code,
                headers,
                (bytes, length) -> unwanted(type, bytes, length),
                in,
                announced,
                reservation);
        case IMAGE ->
            chosen(code, headers, FetchedImages::otherThanImage, in, announced, reservation);
      };
    } catch (OverCap _) {
      return tooLarge(code);
    } catch (IOException | RuntimeException broken) {
      // The decoders trust their input; whatever they throw over it is about the input.
      if (wire.failure().isPresent()) {
        throw wire.failure().get();
      }
      return new Undecodable(code, "the body is not what its Content-Encoding says");
    }
  }

  /** As much as is wanted of it, whatever it is. */
  private static FetchOutcome beginning(
      int code, Headers headers, InputStream in, long announced, int most, Reservation reservation)
      throws IOException, InterruptedException {
    byte[] bytes = buffer(Math.min(announced, most), most, reservation);
    return new Success(code, headers, Body.of(rest(in, bytes, 0, most, reservation)));
  }

  /** Tells the type of a body by its beginning, where it is not the one that was asked for. */
  private interface OtherType {
    Optional<String> of(byte[] bytes, int length);
  }

  /** The beginning says whether the rest is worth having. */
  private FetchOutcome chosen(
      int code,
      Headers headers,
      OtherType otherType,
      InputStream in,
      long announced,
      Reservation reservation)
      throws IOException, InterruptedException {
    int most = settings.pageLimit();
    byte[] bytes = buffer(announced > most ? UNKNOWN : announced, most, reservation);
    int length = in.readNBytes(bytes, 0, Math.min(Sniff.MOST, bytes.length));
    Optional<String> other = otherType.of(bytes, length);
    if (other.isPresent()) {
      return new WrongType(code, other.get());
    }
    if (announced > most) {
      return tooLarge(code);
    }
    // One more than is allowed, to see whether there is more than is allowed.
    byte[] whole = rest(in, bytes, length, most + 1, reservation);
    return whole.length > most ? tooLarge(code) : new Success(code, headers, Body.of(whole));
  }

  /** For a body of the announced length, or for the beginning of one of unknown length. */
  private static byte[] buffer(long announced, int most, Reservation reservation)
      throws InterruptedException {
    int size = announced == UNKNOWN ? Math.min(FIRST, most) : (int) announced;
    reservation.upTo(size);
    return new byte[size];
  }

  /**
   * Reads to the end, or to as many bytes as are wanted.
   *
   * @param begun a buffer with the first bytes
   */
  private static byte[] rest(
      InputStream in, byte[] begun, int begunLength, int most, Reservation reservation)
      throws IOException, InterruptedException {
    byte[] bytes = begun;
    int length = begunLength;
    while (true) {
      length += in.readNBytes(bytes, length, bytes.length - length);
      if (length < bytes.length) {
        return Arrays.copyOf(bytes, length);
      }
      int next = length < most ? in.read() : -1;
      if (next < 0) {
        return bytes;
      }
      int size = (int) Math.min(2L * Math.max(length, FIRST / 2), most);
      reservation.upTo(size);
      bytes = Arrays.copyOf(bytes, size);
      bytes[length++] = (byte) next;
    }
  }

  private InputStream layered(List<ContentCoding> layers, InputStream wire) throws IOException {
    InputStream in = wire;
    for (int layer = 0; layer < layers.size(); layer++) {
      in = layers.get(layer).decoded(in);
      if (layer < layers.size() - 1) {
        in = new CappedStream(in, settings.pageLimit());
      }
    }
    return in;
  }

  private FetchOutcome tooLarge(int code) {
    return new TooLarge(code, settings.pageLimit());
  }

  /** What the body is, where it is neither a page nor accepted beside pages. */
  private Optional<String> unwanted(Optional<String> type, byte[] bytes, int length) {
    return Sniff.mayBePage(type)
        ? Sniff.otherThanPage(type, bytes, length).filter(other -> !isAccepted(Optional.of(other)))
        : Optional.empty();
  }

  private boolean isAccepted(Optional<String> type) {
    return type.filter(settings.accepted()::accepts).isPresent();
  }

  /** The type, where one is given. */
  static Optional<String> type(Headers headers) {
    String value = headers.first("content-type").orElse("");
    int end = value.indexOf(';');
    String type = (end < 0 ? value : value.substring(0, end)).strip().toLowerCase(Locale.ROOT);
    return type.isEmpty() ? Optional.empty() : Optional.of(type);
  }
}
