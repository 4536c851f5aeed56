package dev.comity.web.image;

import dev.comity.core.outcome.Body;
import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.outcome.FetchOutcome.Success;
import dev.comity.core.outcome.FetchOutcome.TooLarge;
import dev.comity.core.outcome.FetchOutcome.TooSmall;
import dev.comity.core.outcome.FetchOutcome.Undecodable;
import dev.comity.core.outcome.FetchOutcome.WrongType;
import dev.comity.core.port.image.ImageFacts;
import dev.comity.core.port.image.ImageReader;
import dev.comity.core.usage.ResponseWishes;
import dev.comity.core.usage.Wishes;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * Reads fetched images by their bytes: the type, the size without decoding, the hash and what the
 * file says about its use. A Content-Type is not believed.
 */
public final class FetchedImages implements ImageReader {
  private final ImageLimits limits;
  private final String robotsToken;
  private final InstantSource clock;
  private final boolean hashesLooks;

  /**
   * @param robotsToken the name we go by: a header may say things to it alone
   * @param clock headers may say when they expire
   * @param hashesLooks whether images are decoded for a difference hash
   */
  public FetchedImages(
      ImageLimits limits, String robotsToken, InstantSource clock, boolean hashesLooks) {
    this.limits = limits;
    this.robotsToken = robotsToken;
    this.clock = clock;
    this.hashesLooks = hashesLooks;
  }

  /** The type of a body by its beginning, where it is no raster image. */
  public static Optional<String> otherThanImage(byte[] beginning, int length) {
    Optional<ImageFormat> format =
        ImageHeader.read(Arrays.copyOf(beginning, length)).map(ImageHeader::format);
    return format.isEmpty()
        ? Optional.of("no image")
        : format.filter(one -> !one.isRaster()).map(ImageFormat::mediaType);
  }

  @Override
  public ImageReading read(Success answer) {
    byte[] file = answer.body().bytes();
    Optional<ImageHeader> read = ImageHeader.read(file);
    if (read.isEmpty()) {
      return new ImageRefused(new WrongType(answer.code(), "no image"), "it is no image");
    }
    ImageHeader header = read.get();
    Optional<String> refusal = limits.refusal(header);
    return refusal.isPresent()
        ? new ImageRefused(outcome(answer.code(), header), refusal.get())
        : new ImageTaken(facts(answer, header));
  }

  private FetchOutcome outcome(int code, ImageHeader header) {
    if (!header.format().isRaster()) {
      return new WrongType(code, header.format().mediaType());
    }
    if (!header.hasSize()) {
      return new Undecodable(code, "its size cannot be read");
    }
    return header.pixels() > limits.maxPixels()
        ? new TooLarge(code, limits.maxPixels())
        : new TooSmall(code, header.width() + " × " + header.height());
  }

  private ImageFacts facts(Success answer, ImageHeader header) {
    byte[] file = answer.body().bytes();
    boolean sized = header.hasSize();
    Wishes said = ResponseWishes.ofHeader(answer.headers()::all, robotsToken, clock.instant());
    return new ImageFacts(
        Body.of(sha256(file)),
        header.format().mediaType(),
        header.format().ending(),
        file.length,
        sized ? OptionalInt.of(header.width()) : OptionalInt.empty(),
        sized ? OptionalInt.of(header.height()) : OptionalInt.empty(),
        hashesLooks ? DifferenceHash.of(file, header, limits) : OptionalLong.empty(),
        said.forImages().and(ImageRightsReader.read(file)),
        false);
  }

  private static byte[] sha256(byte[] file) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(file);
    } catch (NoSuchAlgorithmException missing) {
      throw new IllegalStateException("every Java has SHA-256", missing);
    }
  }
}
