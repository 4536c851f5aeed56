package dev.comity.core.trap;

/** Which signs of a URL are letters and digits: those of ASCII, for others are escaped in it. */
final class Signs {
  private Signs() {}

  static boolean isLetter(int sign) {
    int lower = sign | ' ';
    return lower >= 'a' && lower <= 'z';
  }

  static boolean isDigit(int sign) {
    return sign >= '0' && sign <= '9';
  }
}
