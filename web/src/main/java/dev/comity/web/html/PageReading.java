package dev.comity.web.html;

import dev.comity.core.port.fetch.ImageSighting;
import dev.comity.core.port.fetch.LinkExtractor.Extraction;
import dev.comity.core.usage.Wishes;
import java.util.List;
import java.util.function.Supplier;

/**
 * A page that was read.
 *
 * @param html as received, decoded
 * @param wishes what the header and the page say about its use
 * @param images reads the images with their surroundings, in a walk of its own: most crawls never
 *     ask for them
 */
public record PageReading(
    Extraction extraction, String html, Wishes wishes, Supplier<List<ImageSighting>> images) {}
