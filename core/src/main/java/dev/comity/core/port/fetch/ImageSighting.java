package dev.comity.core.port.fetch;

import dev.comity.core.url.CrawlUrl;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * An image as one page shows it, with what the page says about it. Texts are in one line, without
 * control characters, and cut to the lengths that {@code PageImages} names.
 *
 * @param url the best candidate: the largest of a {@code srcset} or {@code picture}
 * @param descriptor what the {@code srcset} says of the candidate's size, such as {@code 1200w}
 * @param alt the alternative text
 * @param title the {@code title} attribute
 * @param caption the {@code figcaption} of the figure around it
 * @param textBefore the end of the text before it
 * @param textAfter the beginning of the text after it
 * @param width as declared, in pixels
 * @param height as declared, in pixels
 * @param linkTarget where a click on it leads
 * @param licence the nearest licence link of the page
 * @param credit the credit beside it
 * @param language of the page, as it names it; empty if it does not
 */
public record ImageSighting(
    CrawlUrl url,
    ImageRef.Source source,
    String descriptor,
    String alt,
    String title,
    String caption,
    String textBefore,
    String textAfter,
    OptionalInt width,
    OptionalInt height,
    Optional<CrawlUrl> linkTarget,
    Optional<CrawlUrl> licence,
    String credit,
    String language) {}
