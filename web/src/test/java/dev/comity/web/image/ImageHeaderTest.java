package dev.comity.web.image;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.testkit.gen.Property;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ImageHeaderTest {

  @ParameterizedTest
  @CsvSource({"JPEG, jpg", "PNG, png", "GIF, gif", "BMP, bmp", "TIFF, tiff"})
  void type_and_size_are_those_that_another_program_wrote(ImageFormat format, String name)
      throws IOException {
    for (int[] size : new int[][] {{1, 1}, {3, 2}, {640, 480}, {1, 3_000}}) {
      byte[] file = written(name, size[0], size[1]);
      assertThat(ImageHeader.read(file)).contains(new ImageHeader(format, size[0], size[1]));
    }
  }

  @ParameterizedTest
  @CsvSource({
    // Lossy: frame tag, start code, width 16, height 9.
    "WEBP, 16, 9, 524946460000000057454250565038200a0000003001009d012a10000900",
    // Lossless: 14 bits each, less one.
    "WEBP, 300, 200, 5249464600000000574542505650384c0a0000002f2bc13100",
    // Extended: 24 bits each, less one.
    "WEBP, 70000, 5, 524946460000000057454250565038580a000000000000006f1101040000",
    "ICO, 256, 256,"
        + " 00000100020010100000010020000400000026000000000000000100200004000000260000000000",
  })
  void sizes_are_found_where_each_format_has_them(
      ImageFormat format, int width, int height, String hex) {
    assertThat(ImageHeader.read(HexFormat.of().parseHex(hex)))
        .contains(new ImageHeader(format, width, height));
  }

  @Test
  void of_several_sizes_the_largest_is_the_image_s() {
    assertThat(ImageHeader.read(boxes("avif", 256, 256, 4_000, 3_000)))
        .contains(new ImageHeader(ImageFormat.AVIF, 4_000, 3_000));
    assertThat(ImageHeader.read(boxes("heic", 4_000, 3_000, 256, 256)))
        .contains(new ImageHeader(ImageFormat.HEIC, 4_000, 3_000));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "<svg xmlns='http://www.w3.org/2000/svg'/>",
        "\ufeff  <?xml version='1.0'?>\n<!-- a > b --><!DOCTYPE svg PUBLIC 'x'>\n<SVG>",
        "<!---->\n<svg>",
      })
  void svg_is_told_by_its_root_and_is_no_raster_image(String text) {
    byte[] file = text.getBytes(StandardCharsets.UTF_8);
    assertThat(ImageHeader.read(file).map(ImageHeader::format)).contains(ImageFormat.SVG);
    assertThat(ImageLimits.USUAL.refusal(file)).contains("SVG is no raster image");
    assertThat(ImageHeader.read(text.getBytes(StandardCharsets.UTF_16LE)).map(ImageHeader::format))
        .contains(ImageFormat.SVG);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "<",
        "<html><svg>",
        "<!doctype html><svg>",
        "<!-- <svg>",
        "GIF88a",
        "BMW is a car maker and this is a text about it",
        "\0\0\1\0",
        "RIFF    WAVE",
        "text",
      })
  void other_bytes_are_no_image(String text) {
    byte[] file = text.getBytes(StandardCharsets.ISO_8859_1);
    assertThat(ImageHeader.read(file)).isEmpty();
    assertThat(ImageLimits.USUAL.refusal(file)).contains("it is no image");
  }

  @Test
  void bombs_crumbs_and_images_without_a_size_are_refused() throws IOException {
    byte[] bomb = written("png", 2, 2);
    System.arraycopy(new byte[] {0, 1, 0, 0, 0, 1, 0, 0}, 0, bomb, 16, 8);
    assertThat(ImageLimits.USUAL.refusal(bomb)).contains("65536 × 65536 pixels are too many");
    assertThat(ImageLimits.USUAL.refusal(written("gif", 63, 500)))
        .contains("63 × 500 pixels are too few");
    assertThat(ImageLimits.USUAL.refusal(written("gif", 64, 64))).isEmpty();
    byte[] headless = Arrays.copyOf(written("jpg", 100, 100), 20);
    assertThat(ImageLimits.USUAL.refusal(headless)).contains("its size cannot be read");
    byte[] negative = written("png", 2, 2);
    Arrays.fill(negative, 16, 24, (byte) 0xff);
    assertThat(ImageLimits.USUAL.refusal(negative)).contains("its size cannot be read");
    assertThat(ImageLimits.USUAL.refusal(new byte[] {(byte) 0xff, '\n', 0})).isEmpty();
  }

  @Test
  void any_change_and_any_cut_of_a_file_is_read_without_an_exception() throws IOException {
    List<byte[]> files =
        List.of(
            written("jpg", 40, 30),
            written("png", 40, 30),
            written("gif", 40, 30),
            written("bmp", 40, 30),
            written("tiff", 40, 30),
            boxes("avif", 1, 2, 3, 4),
            HexFormat.of()
                .parseHex("524946460000000057454250565038580a000000000000006f1101040000"));
    Property.holds(
        20_000,
        draw -> {
          byte[] from = draw.from(files);
          byte[] file = Arrays.copyOf(from, draw.below(from.length + 1));
          for (int change = draw.below(6); change > 0 && file.length > 0; change--) {
            file[draw.below(Math.min(file.length, 120))] = (byte) draw.below(256);
          }
          return HexFormat.of().formatHex(file);
        },
        hex -> {
          Optional<ImageHeader> header = ImageHeader.read(HexFormat.of().parseHex(hex));
          header.ifPresent(
              read -> assertThat(read.hasSize()).isEqualTo(read.width() > 0 && read.height() > 0));
        });
  }

  @Test
  void boxes_without_end_and_segments_without_end_are_left() {
    byte[] zeros = new byte[1_000_000];
    System.arraycopy(boxes("avif", 1, 1, 1, 1), 0, zeros, 0, 28);
    assertThat(ImageHeader.read(zeros)).contains(new ImageHeader(ImageFormat.AVIF, 0, 0));
    byte[] filled = new byte[1_000_000];
    Arrays.fill(filled, (byte) 0xff);
    filled[1] = (byte) 0xd8;
    assertThat(ImageHeader.read(filled)).contains(new ImageHeader(ImageFormat.JPEG, 0, 0));
  }

  /** Two sizes in the properties of a file with this brand. */
  private static byte[] boxes(String brand, int width, int height, int width2, int height2) {
    ByteArrayOutputStream properties = new ByteArrayOutputStream();
    properties.writeBytes(box("ispe", 4, number(width), number(height)));
    properties.writeBytes(box("free", 0, new byte[5]));
    properties.writeBytes(box("ispe", 4, number(width2), number(height2)));
    ByteArrayOutputStream file = new ByteArrayOutputStream();
    file.writeBytes(
        box("ftyp", 0, ("mif1\0\0\0\0mif1" + brand).getBytes(StandardCharsets.ISO_8859_1)));
    file.writeBytes(
        box(
            "meta",
            4,
            box("hdlr", 0, new byte[24]),
            box("iprp", 0, box("ipco", 0, properties.toByteArray()))));
    return file.toByteArray();
  }

  private static byte[] box(String type, int skipped, byte[]... parts) {
    ByteArrayOutputStream inside = new ByteArrayOutputStream();
    inside.writeBytes(new byte[skipped]);
    for (byte[] part : parts) {
      inside.writeBytes(part);
    }
    ByteArrayOutputStream box = new ByteArrayOutputStream();
    box.writeBytes(number(inside.size() + 8));
    box.writeBytes(type.getBytes(StandardCharsets.ISO_8859_1));
    box.writeBytes(inside.toByteArray());
    return box.toByteArray();
  }

  private static byte[] number(int value) {
    return new byte[] {
      (byte) (value >> 24), (byte) (value >> 16), (byte) (value >> 8), (byte) value
    };
  }

  static byte[] written(String format, int width, int height) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    BufferedImage image = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
    assertThat(ImageIO.write(image, format, out)).isTrue();
    return out.toByteArray();
  }
}
