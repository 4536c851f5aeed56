package dev.comity.core.port.image;

import dev.comity.core.outcome.Body;
import dev.comity.core.usage.Wishes;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * An image that was fetched and taken, known by its bytes alone.
 *
 * @param sha256 the hash of the file
 * @param mediaType by the bytes
 * @param ending of the file's name, by the bytes
 * @param bytes the length of the file
 * @param width in pixels; empty if the format does not tell
 * @param height the same
 * @param dhash a difference hash, if one was made
 * @param wishes what the header and the file say about its use
 * @param kept whether the file is kept
 */
public record ImageFacts(
    Body sha256,
    String mediaType,
    String ending,
    long bytes,
    OptionalInt width,
    OptionalInt height,
    OptionalLong dhash,
    Wishes wishes,
    boolean kept) {

  /** The same image, of which the file is kept. */
  public ImageFacts asKept() {
    return new ImageFacts(sha256, mediaType, ending, bytes, width, height, dhash, wishes, true);
  }
}
