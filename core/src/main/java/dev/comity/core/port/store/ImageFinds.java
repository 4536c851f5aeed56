package dev.comity.core.port.store;

import dev.comity.core.port.fetch.ImageSighting;
import dev.comity.core.port.image.ImageFacts;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The images of an answer.
 *
 * @param found how many a page shows, counted in every crawl
 * @param sightings what the page says of them, if the crawl collects images
 * @param taken the image that the answer is, if it was asked for as one and taken
 */
public record ImageFinds(int found, List<ImageSighting> sightings, Optional<ImageFacts> taken) {
  /** No image. */
  public static final ImageFinds NONE = new ImageFinds(0, List.of(), Optional.empty());

  /** Most pages show fewer: no crawl makes an object for each. */
  private static final List<ImageFinds> COUNTED =
      IntStream.range(0, 128)
          .mapToObj(n -> new ImageFinds(n, List.of(), Optional.empty()))
          .toList();

  public ImageFinds {
    sightings = List.copyOf(sightings);
  }

  /** So many images of a page, of which no more is known. */
  public static ImageFinds counted(int found) {
    return found < COUNTED.size()
        ? COUNTED.get(found)
        : new ImageFinds(found, List.of(), Optional.empty());
  }

  /** An image that was taken. */
  public static ImageFinds taken(ImageFacts image) {
    return new ImageFinds(0, List.of(), Optional.of(image));
  }
}
