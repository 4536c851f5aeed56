package dev.comity.testkit.tls;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;

/** Writes the few kinds of ASN.1 values that certificates are made of. */
final class Der {
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyyMMddHHmmss'Z'").withZone(ZoneOffset.UTC);

  private Der() {}

  /** A value with this tag that holds these, one after the other. */
  static byte[] tagged(int tag, byte[]... parts) {
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      content.writeBytes(part);
    }
    ByteArrayOutputStream value = new ByteArrayOutputStream();
    value.write(tag);
    writeLength(value, content.size());
    value.writeBytes(content.toByteArray());
    return value.toByteArray();
  }

  private static void writeLength(ByteArrayOutputStream out, int length) {
    if (length < 128) {
      out.write(length);
    } else {
      byte[] bytes = BigInteger.valueOf(length).toByteArray();
      int skipped = bytes[0] == 0 ? 1 : 0;
      out.write(0x80 | (bytes.length - skipped));
      out.write(bytes, skipped, bytes.length - skipped);
    }
  }

  static byte[] sequence(byte[]... parts) {
    return tagged(0x30, parts);
  }

  static byte[] sequence(List<byte[]> parts) {
    return sequence(parts.toArray(byte[][]::new));
  }

  static byte[] set(byte[]... parts) {
    return tagged(0x31, parts);
  }

  static byte[] integer(BigInteger value) {
    return tagged(0x02, value.toByteArray());
  }

  static byte[] enumerated(int value) {
    return tagged(0x0a, new byte[] {(byte) value});
  }

  static byte[] truth() {
    return tagged(0x01, new byte[] {(byte) 0xff});
  }

  static byte[] octets(byte[] bytes) {
    return tagged(0x04, bytes);
  }

  /** Whole bytes, none of whose bits is unused. */
  static byte[] bits(byte[] bytes) {
    return tagged(0x03, new byte[] {0}, bytes);
  }

  static byte[] text(String text) {
    return tagged(0x0c, text.getBytes(StandardCharsets.UTF_8));
  }

  static byte[] time(Instant time) {
    return tagged(0x18, TIME.format(time).getBytes(StandardCharsets.US_ASCII));
  }

  /** An object identifier such as {@code 2.5.29.17}. */
  static byte[] identifier(String dotted) {
    String[] numbers = dotted.split("\\.", -1);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(40 * Integer.parseInt(numbers[0]) + Integer.parseInt(numbers[1]));
    for (int at = 2; at < numbers.length; at++) {
      int number = Integer.parseInt(numbers[at]);
      for (int shift = 28; shift > 0; shift -= 7) {
        if (number >> shift != 0) {
          out.write(0x80 | ((number >> shift) & 0x7f));
        }
      }
      out.write(number & 0x7f);
    }
    return tagged(0x06, out.toByteArray());
  }
}
