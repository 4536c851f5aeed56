/**
 * The port to images: reading what a server sent for one, and keeping its file. {@link
 * dev.comity.core.port.image.ImageHarvest} says whether a crawl collects any.
 */
@NullMarked
package dev.comity.core.port.image;

import org.jspecify.annotations.NullMarked;
