package dev.comity.app.output;

import dev.comity.app.text.Fields;
import dev.comity.store.report.ImageRecord;
import dev.comity.store.report.ImageRecord.ImageFile;
import dev.comity.store.report.ImageRecord.PageWords;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** A sighting of an image by name, with the image it came to. */
public final class ImageFields {
  /** The column names, in order; the header of an empty table. */
  public static final List<String> NAMES =
      List.of(
          "image_url",
          "state",
          "page",
          "source_domain",
          "found_in",
          "alt",
          "title",
          "caption",
          "text_before",
          "text_after",
          "declared_width",
          "declared_height",
          "srcset",
          "link_target",
          "license_url",
          "credit",
          "page_title",
          "lang",
          "signals",
          "discovery_type",
          "first_seen_at",
          "last_seen_at",
          "sha256",
          "fetched_url",
          "media_type",
          "bytes",
          "width",
          "height",
          "dhash",
          "image_signals",
          "file");

  private ImageFields() {}

  public static Fields of(ImageRecord image) {
    PageWords words = image.words();
    Optional<ImageFile> file = image.image();
    return Fields.none()
        .and("image_url", image.url())
        .and("state", image.state())
        .and("page", image.page())
        .and("source_domain", image.sourceDomain())
        .and("found_in", image.foundIn())
        .and("alt", words.alt())
        .and("title", words.title())
        .and("caption", words.caption())
        .and("text_before", words.textBefore())
        .and("text_after", words.textAfter())
        .and("declared_width", boxed(words.width()))
        .and("declared_height", boxed(words.height()))
        .and("srcset", words.descriptor())
        .and("link_target", words.linkTarget())
        .and("license_url", words.licenseUrl())
        .and("credit", words.credit())
        .and("page_title", words.pageTitle())
        .and("lang", words.language())
        .and("signals", image.signals())
        .and("discovery_type", image.discoveryType())
        .and("first_seen_at", image.firstSeen())
        .and("last_seen_at", image.lastSeen())
        .and("sha256", file.map(ImageFile::sha256))
        .and("fetched_url", file.map(ImageFile::fetchedUrl))
        .and("media_type", file.map(ImageFile::mediaType))
        .and("bytes", file.map(ImageFile::bytes))
        .and("width", file.flatMap(one -> boxed(one.width())))
        .and("height", file.flatMap(one -> boxed(one.height())))
        .and("dhash", file.flatMap(one -> boxed(one.dhash())).map("%016x"::formatted))
        .and("image_signals", file.flatMap(ImageFile::signals))
        .and("file", file.flatMap(ImageFile::file));
  }

  private static Optional<Long> boxed(OptionalLong number) {
    return number.isPresent() ? Optional.of(number.getAsLong()) : Optional.empty();
  }
}
