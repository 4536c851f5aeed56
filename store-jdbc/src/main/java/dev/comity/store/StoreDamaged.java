package dev.comity.store;

import java.util.HexFormat;

/**
 * A stored value that this program cannot have written. The message says what is wrong and what to
 * do. It ends with the start of the value.
 */
public final class StoreDamaged extends RuntimeException {
  /** What mends one domain. */
  public static final String RESET = "`comity domain-reset NAME` mends it";

  private static final int LONGEST = 200;
  private static final HexFormat HEX = HexFormat.of().withUpperCase();

  private final String wrong;

  public StoreDamaged(String wrong, String remedy, String read) {
    super(message(wrong, remedy, read));
    this.wrong = wrong + "; it reads: " + shown(read);
  }

  public StoreDamaged(String wrong, String remedy, String read, Throwable cause) {
    super(message(wrong, remedy, read), cause);
    this.wrong = wrong + "; it reads: " + shown(read);
  }

  /** What is wrong, without what to do. */
  public String wrong() {
    return wrong;
  }

  private static String message(String wrong, String remedy, String read) {
    return wrong + "; " + remedy + "; it reads: " + shown(read);
  }

  /**
   * What we store is plain ASCII, so anything else is shown as an escape: one message stays one
   * line, whatever the damage. Quotes stay, for most of it is JSON.
   */
  public static String shown(String read) {
    StringBuilder shown = new StringBuilder();
    for (int at = 0; at < Math.min(LONGEST, read.length()); at++) {
      char unit = read.charAt(at);
      if (unit == '\\') {
        shown.append("\\\\");
      } else if (unit >= ' ' && unit < 0x7f) {
        shown.append(unit);
      } else {
        shown.append("\\u").append(HEX.toHexDigits(unit));
      }
    }
    return read.length() > LONGEST ? shown.append('…').toString() : shown.toString();
  }
}
