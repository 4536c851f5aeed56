package dev.comity.app.command;

import dev.comity.app.settings.Settings;
import dev.comity.app.settings.WrongSetting;
import dev.comity.core.port.image.ImageMode;
import picocli.CommandLine.Option;

/** What a crawl that collects images is told beside. */
final class ImageOptions {
  @Option(
      names = "--max-images",
      paramLabel = "N",
      description = "With --images, keep at most this many images (default: ${DEFAULT-VALUE}).")
  private long maxImages = 10_000;

  @Option(
      names = "--image-hash",
      description =
          "With --images, decode each image for a difference hash, which tells images that look"
              + " alike.")
  private boolean imageHash;

  boolean isHashed() {
    return imageHash;
  }

  /** The settings with these, if images are collected. */
  Settings applied(Settings settings) {
    if (settings.images() == ImageMode.OFF) {
      return settings;
    }
    if (maxImages < 1) {
      throw new WrongSetting("max-images is " + maxImages + ", but must be at least 1");
    }
    return settings.withMaxImages(maxImages);
  }
}
