package dev.comity.web;

import dev.comity.core.outcome.Body;
import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.outcome.FetchOutcome.Success;
import dev.comity.core.outcome.FetchOutcome.TooLarge;
import dev.comity.core.outcome.FetchOutcome.Undecodable;
import dev.comity.core.outcome.FetchOutcome.WrongType;
import dev.comity.core.outcome.Headers;
import dev.comity.core.port.Fetcher.Want;
import dev.comity.web.CappedStream.OverCap;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Reads the body of a 2xx while it arrives, never more than the settings allow at any layer: a bomb
 * inside another is small at both ends and large only in the middle.
 */
final class BodyReader {
  /** Most pages are no longer. */
  private static final int FIRST = 32 << 10;

  private final FetchSettings settings;

  BodyReader(FetchSettings settings) {
    this.settings = settings;
  }

  /** What was read, and how many bytes of it came over the wire. */
  record Read(FetchOutcome outcome, long wireBytes) {}

  /**
   * @param wire the body as it arrives
   * @throws IOException if the wire failed; what is wrong with the bytes themselves is an outcome
   */
  Read read(int code, Headers headers, Want want, InputStream wire) throws IOException {
    Optional<String> type = type(headers);
    if (want == Want.PAGE && !Sniff.mayBePage(type)) {
      return new Read(new WrongType(code, Printable.of(type.orElseThrow())), 0);
    }
    Optional<List<ContentCoding>> layers =
        ContentCoding.layers(headers.elements("content-encoding"));
    if (layers.isEmpty()) {
      String shown = Printable.of(String.join(", ", headers.all("content-encoding")));
      return new Read(new Undecodable(code, "an encoding we did not ask for: " + shown), 0);
    }
    if (layers.get().size() > ContentCoding.MOST_LAYERS) {
      String detail = layers.get().size() + " layers of encoding";
      return new Read(new Undecodable(code, detail), 0);
    }
    CappedStream capped =
        new CappedStream(wire, layers.get().isEmpty() ? Long.MAX_VALUE : settings.pageLimit());
    FetchOutcome outcome = decoded(code, headers, type, want, layers.get(), capped);
    return new Read(outcome, capped.passed());
  }

  private FetchOutcome decoded(
      int code,
      Headers headers,
      Optional<String> type,
      Want want,
      List<ContentCoding> layers,
      CappedStream wire)
      throws IOException {
    try (InputStream in = layered(layers, wire)) {
      if (want == Want.ROBOTS) {
        return new Success(code, headers, Body.of(in.readNBytes(settings.robotsLimit())));
      }
      if (want == Want.SITEMAP) {
        return new Success(code, headers, Body.of(in.readNBytes(settings.pageLimit())));
      }
      return page(code, headers, type, in);
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

  /** The beginning says whether the rest is worth having. */
  private FetchOutcome page(int code, Headers headers, Optional<String> type, InputStream in)
      throws IOException {
    int most = settings.pageLimit();
    byte[] bytes = new byte[Math.min(FIRST, most + 1)];
    int length = in.readNBytes(bytes, 0, Math.min(Sniff.MOST, bytes.length));
    Optional<String> other = Sniff.otherThanPage(type, bytes, length);
    if (other.isPresent()) {
      return new WrongType(code, other.get());
    }
    while (true) {
      length += in.readNBytes(bytes, length, bytes.length - length);
      if (length > most) {
        return tooLarge(code);
      }
      if (length < bytes.length) {
        return new Success(code, headers, Body.of(Arrays.copyOf(bytes, length)));
      }
      // One more than is allowed, to see whether there is more than is allowed.
      bytes = Arrays.copyOf(bytes, Math.min(bytes.length * 2, most + 1));
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

  /** The type, where one is given. */
  private static Optional<String> type(Headers headers) {
    String value = headers.first("content-type").orElse("");
    int end = value.indexOf(';');
    String type = (end < 0 ? value : value.substring(0, end)).strip().toLowerCase(Locale.ROOT);
    return type.isEmpty() ? Optional.empty() : Optional.of(type);
  }
}
