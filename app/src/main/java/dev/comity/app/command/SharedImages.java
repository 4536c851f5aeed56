package dev.comity.app.command;

import dev.comity.app.settings.Configuration;
import dev.comity.app.settings.DataOption;
import dev.comity.app.settings.WrongSetting;
import dev.comity.core.port.image.ImageMode;

/** Where the files of images are, if everything else is on a server. */
final class SharedImages {
  private SharedImages() {}

  /**
   * Requires a directory for files that workers keep.
   *
   * @throws WrongSetting if none is named
   */
  static void require(ImageMode mode, DataOption data, Configuration told) {
    if (mode == ImageMode.FILES && data.server().isPresent() && !told.isSet("data")) {
      throw new WrongSetting(
          "images: files are kept in a directory, and the database keeps their rows alone; name a"
              + " directory that all workers share with --data DIR, or use --images metadata");
    }
  }
}
