package dev.comity.app.demo;

import dev.comity.core.outcome.Body;
import java.awt.Color;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import javax.imageio.ImageIO;

/** Pictures of grey squares for the demo; those of one motif look alike in every size. */
final class DemoPictures {
  private static final int COLUMNS = 9;
  private static final int ROWS = 8;
  private static final int HUGE = 50_000;

  private DemoPictures() {}

  static Body jpeg(int width, int height, int motif) {
    return file("jpg", width, height, motif);
  }

  static Body png(int width, int height, int motif) {
    return file("png", width, height, motif);
  }

  static Body gif(int width, int height, int motif) {
    return file("gif", width, height, motif);
  }

  /** A small file that says it is 50,000 pixels wide and high. */
  static Body bomb() {
    byte[] file = png(64, 64, 6).bytes().clone();
    // Width and height of a PNG.
    for (int at : List.of(16, 20)) {
      file[at + 2] = (byte) (HUGE >> 8);
      file[at + 3] = (byte) HUGE;
    }
    return Body.of(file);
  }

  private static Body file(String format, int width, int height, int motif) {
    BufferedImage image = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
    for (int y = 0; y < height; y++) {
      for (int x = 0; x < width; x++) {
        int square = x * COLUMNS / width * 37 + y * ROWS / height * 91;
        int grey = Math.floorMod(square * motif * 53, 256);
        image.setRGB(x, y, new Color(grey, grey, grey).getRGB());
      }
    }
    try {
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      ImageIO.write(image, format, bytes);
      return Body.of(bytes.toByteArray());
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }
}
