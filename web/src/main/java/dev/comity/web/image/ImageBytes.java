package dev.comity.web.image;

import java.nio.charset.StandardCharsets;

/** Bytes of a file with reads that end at its end: beyond it every byte is 0. */
final class ImageBytes {
  private final byte[] bytes;

  ImageBytes(byte[] bytes) {
    this.bytes = bytes;
  }

  int length() {
    return bytes.length;
  }

  int at(long place) {
    return place >= 0 && place < bytes.length ? bytes[(int) place] & 0xff : 0;
  }

  int big16(long place) {
    return at(place) << 8 | at(place + 1);
  }

  int little16(long place) {
    return at(place + 1) << 8 | at(place);
  }

  int little24(long place) {
    return at(place + 2) << 16 | little16(place);
  }

  /** Without a sign. */
  long big32(long place) {
    return (long) big16(place) << 16 | big16(place + 2);
  }

  /** Without a sign. */
  long little32(long place) {
    return (long) little16(place + 2) << 16 | little16(place);
  }

  /** Whether these characters stand there, each one byte. */
  boolean has(long place, String characters) {
    for (int each = 0; each < characters.length(); each++) {
      if (place + each >= bytes.length || at(place + each) != characters.charAt(each)) {
        return false;
      }
    }
    return true;
  }

  String text(int from, int to) {
    int end = Math.min(to, bytes.length);
    return from >= end ? "" : new String(bytes, from, end - from, StandardCharsets.ISO_8859_1);
  }
}
