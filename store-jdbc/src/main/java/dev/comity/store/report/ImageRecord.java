package dev.comity.store.report;

import dev.comity.store.image.ImageDirectory;
import dev.comity.store.sql.ResultRow;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * One sighting of an image: where it was seen, what the page says of it, and the image itself once
 * it was fetched.
 *
 * @param url as the page names it
 * @param state of the entry that answers for it: {@code done}, {@code queued}, {@code skipped} and
 *     so on; empty if it is not asked for
 * @param page the page it was seen on; empty for an image of a list
 * @param sourceDomain the domain of that page
 * @param foundIn {@code img}, {@code srcset}, {@code picture}, {@code open_graph}, {@code
 *     twitter_card}, {@code link} or {@code list}
 * @param image empty until it was fetched and taken
 */
public record ImageRecord(
    long id,
    String url,
    Optional<String> state,
    Optional<String> page,
    String sourceDomain,
    String foundIn,
    PageWords words,
    Optional<String> signals,
    String discoveryType,
    Instant firstSeen,
    Instant lastSeen,
    Optional<ImageFile> image) {

  static final String SELECT =
      """
      SELECT s.*, u.state AS url_state, u.url AS fetched_url, p.url AS page_url, i.sha256,
        i.media_type, i.ending, i.bytes, i.width AS pixels_wide, i.height AS pixels_high, i.dhash,
        i.signals AS image_signals, i.kept, i.first_seen_at AS image_first_seen_at,
        i.last_seen_at AS image_last_seen_at
      FROM provenance s
      LEFT JOIN images i ON i.id = s.image_id
      LEFT JOIN urls u ON u.id = s.url_id
      LEFT JOIN urls p ON p.id = s.page_url_id
      """;

  /**
   * What the page says of the image.
   *
   * @param descriptor what a {@code srcset} says of its size, such as {@code 1200w}
   * @param width as declared
   * @param height as declared
   * @param language of the page, if it is known
   */
  public record PageWords(
      Optional<String> descriptor,
      Optional<String> alt,
      Optional<String> title,
      Optional<String> caption,
      Optional<String> textBefore,
      Optional<String> textAfter,
      OptionalLong width,
      OptionalLong height,
      Optional<String> linkTarget,
      Optional<String> licenseUrl,
      Optional<String> credit,
      Optional<String> pageTitle,
      Optional<String> language) {}

  /**
   * The image by its content. Several sightings may have the same.
   *
   * @param sha256 in hexadecimal
   * @param fetchedUrl the URL it was fetched from: the end of the redirects
   * @param width in pixels; empty if the format does not tell
   * @param height the same
   * @param dhash the difference hash, if one was made
   * @param signals what the file says about its use, as a JSON array
   * @param file the path below the data directory, if the file is kept
   */
  public record ImageFile(
      String sha256,
      String fetchedUrl,
      String mediaType,
      String ending,
      long bytes,
      OptionalLong width,
      OptionalLong height,
      OptionalLong dhash,
      Optional<String> signals,
      Optional<String> file,
      Instant firstSeen,
      Instant lastSeen) {}

  static ImageRecord read(ResultRow row) {
    return new ImageRecord(
        row.number("id"),
        row.text("image_url"),
        row.optionalText("url_state"),
        row.optionalText("page_url"),
        row.text("source_domain"),
        row.text("found_in"),
        words(row),
        row.optionalText("signals"),
        row.text("discovery_type"),
        row.time("first_seen_at"),
        row.time("last_seen_at"),
        row.optionalBytes("sha256").map(hash -> image(row, HexFormat.of().formatHex(hash))));
  }

  private static PageWords words(ResultRow row) {
    return new PageWords(
        row.optionalText("descriptor"),
        row.optionalText("alt"),
        row.optionalText("title"),
        row.optionalText("caption"),
        row.optionalText("text_before"),
        row.optionalText("text_after"),
        row.optionalNumber("width"),
        row.optionalNumber("height"),
        row.optionalText("link_target"),
        row.optionalText("license_url"),
        row.optionalText("credit"),
        row.optionalText("page_title"),
        row.optionalText("lang"));
  }

  private static ImageFile image(ResultRow row, String hash) {
    String ending = row.text("ending");
    return new ImageFile(
        hash,
        row.text("fetched_url"),
        row.text("media_type"),
        ending,
        row.number("bytes"),
        row.optionalNumber("pixels_wide"),
        row.optionalNumber("pixels_high"),
        row.optionalNumber("dhash"),
        row.optionalText("image_signals"),
        row.isSet("kept") ? Optional.of(ImageDirectory.place(hash, ending)) : Optional.empty(),
        row.time("image_first_seen_at"),
        row.time("image_last_seen_at"));
  }
}
