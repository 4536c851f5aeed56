package dev.comity.web.http;

/** Remote text as it may be shown or logged: one short line of plain characters. */
final class Printable {
  private static final int LONGEST = 100;

  private Printable() {}

  static String of(String remote) {
    StringBuilder shown = new StringBuilder();
    remote
        .codePoints()
        .limit(LONGEST)
        .forEach(
            c -> {
              if (c >= ' ' && c < 0x7f) {
                shown.append((char) c);
              } else {
                shown.append("\\u{").append(Integer.toHexString(c)).append('}');
              }
            });
    return remote.codePointCount(0, remote.length()) > LONGEST ? shown + "…" : shown.toString();
  }
}
