package dev.comity.testkit.site;

import dev.comity.core.outcome.Body;
import dev.comity.core.outcome.FetchOutcome.Success;
import dev.comity.core.outcome.FetchOutcome.Undecodable;
import dev.comity.core.outcome.Headers;
import dev.comity.core.port.image.ImageFacts;
import dev.comity.core.port.image.ImageReader;
import dev.comity.core.usage.Wishes;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** Reads the images of a {@link PretendWeb}: any text that begins as {@link #of} makes it. */
public final class PretendImages implements ImageReader {
  private static final String BEGINNING = "image of ";

  /** The answer with this content. */
  public static Success of(String content) {
    return new Success(200, Headers.NONE, Body.of(BEGINNING + content));
  }

  @Override
  public ImageReading read(Success answer) {
    String text = new String(answer.body().bytes(), StandardCharsets.UTF_8);
    return text.startsWith(BEGINNING)
        ? new ImageTaken(facts(answer.body()))
        : new ImageRefused(new Undecodable(answer.code(), "it is no image"), "it is no image");
  }

  private static ImageFacts facts(Body file) {
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(file.bytes());
      return new ImageFacts(
          Body.of(hash),
          "image/png",
          "png",
          file.length(),
          OptionalInt.of(640),
          OptionalInt.of(480),
          OptionalLong.empty(),
          Wishes.NONE,
          false);
    } catch (NoSuchAlgorithmException missing) {
      throw new IllegalStateException(missing);
    }
  }
}
