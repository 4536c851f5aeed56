package dev.comity.web.image;

import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Iterator;
import java.util.OptionalLong;
import java.util.concurrent.Semaphore;
import javax.imageio.ImageIO;
import javax.imageio.ImageReadParam;
import javax.imageio.ImageReader;
import javax.imageio.stream.ImageInputStream;
import javax.imageio.stream.MemoryCacheImageInputStream;

/**
 * A difference hash of 64 bits: whether each of 9 × 8 grey fields is darker than its neighbour.
 * Images that look alike differ in few bits. The image is decoded with most pixels left out, under
 * the cap of pixels, and few at a time.
 */
final class DifferenceHash {
  private static final int WIDE = 9;
  private static final int HIGH = 8;

  /** The decoded image has about so many pixels on its shorter side. */
  private static final int SAMPLED = 64;

  /** Decoders take memory that no budget knows of. */
  private static final Semaphore DECODING = new Semaphore(2);

  private DifferenceHash() {}

  /** Empty where Java has no decoder for the format, or the file is broken. */
  static OptionalLong of(byte[] file, ImageHeader header, ImageLimits limits) {
    if (!header.hasSize() || header.pixels() > limits.maxPixels()) {
      return OptionalLong.empty();
    }
    DECODING.acquireUninterruptibly();
    try (ImageInputStream in = new MemoryCacheImageInputStream(new ByteArrayInputStream(file))) {
      Iterator<ImageReader> readers = ImageIO.getImageReaders(in);
      if (!readers.hasNext()) {
        return OptionalLong.empty();
      }
      ImageReader reader = readers.next();
      try {
        reader.setInput(in, true, true);
        // The decoder's own size counts: the header may lie.
        long pixels = (long) reader.getWidth(0) * reader.getHeight(0);
        return pixels > limits.maxPixels() ? OptionalLong.empty() : hash(decoded(reader));
      } finally {
        reader.dispose();
      }
    } catch (IOException | RuntimeException | OutOfMemoryError | StackOverflowError broken) {
      return OptionalLong.empty();
    } finally {
      DECODING.release();
    }
  }

  private static BufferedImage decoded(ImageReader reader) throws IOException {
    int every = Math.max(1, Math.min(reader.getWidth(0), reader.getHeight(0)) / SAMPLED);
    ImageReadParam sampling = reader.getDefaultReadParam();
    sampling.setSourceSubsampling(every, every, 0, 0);
    return reader.read(0, sampling);
  }

  private static OptionalLong hash(BufferedImage image) {
    BufferedImage grey =
        new BufferedImage(image.getWidth(), image.getHeight(), BufferedImage.TYPE_BYTE_GRAY);
    Graphics2D graphics = grey.createGraphics();
    graphics.drawImage(image, 0, 0, null);
    graphics.dispose();
    long hash = 0;
    for (int y = 0; y < HIGH; y++) {
      for (int x = 0; x + 1 < WIDE; x++) {
        boolean darker = average(grey, x, y) < average(grey, x + 1, y);
        hash = hash << 1 | (darker ? 1 : 0);
      }
    }
    return OptionalLong.of(hash);
  }

  /** Of all pixels of a field: looking at few of them would take noise for a difference. */
  private static int average(BufferedImage image, int x, int y) {
    int left = x * image.getWidth() / WIDE;
    int right = Math.max(left + 1, (x + 1) * image.getWidth() / WIDE);
    int top = y * image.getHeight() / HIGH;
    int bottom = Math.max(top + 1, (y + 1) * image.getHeight() / HIGH);
    long sum = 0;
    for (int row = top; row < Math.min(bottom, image.getHeight()); row++) {
      for (int column = left; column < Math.min(right, image.getWidth()); column++) {
        sum += image.getRaster().getSample(column, row, 0);
      }
    }
    return (int) (sum / ((long) (right - left) * (bottom - top)));
  }
}
