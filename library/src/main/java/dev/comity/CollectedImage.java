package dev.comity;

import dev.comity.core.url.CrawlUrl;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * An image that was fetched and taken. Its words are foreign text: escape them before you show
 * them.
 *
 * @param url it was fetched from; a redirect may have led there
 * @param page that shows it, the first that was met; empty for a seed
 * @param alt what that page says is to be seen
 * @param caption of the figure around it
 * @param mediaType by its bytes
 * @param width in pixels; empty if the format does not tell
 * @param height the same
 * @param bytes the length of the file
 * @param sha256 of the file, in hexadecimal; the same content may come from several URLs
 * @param file where it is kept; empty without a data directory
 */
public record CollectedImage(
    CrawlUrl url,
    Optional<CrawlUrl> page,
    String alt,
    String caption,
    String mediaType,
    OptionalInt width,
    OptionalInt height,
    long bytes,
    String sha256,
    Optional<Path> file) {}
