package dev.comity.app.output;

import dev.comity.core.util.Printable;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.SerializableString;
import tools.jackson.core.io.CharacterEscapes;
import tools.jackson.core.io.SerializedString;

/**
 * Escapes in JSON every character that is not printable. JSON demands it of the first 32 only; but
 * others end lines (U+2028, U+0085), turn the reading direction or command a terminal (U+009B), and
 * a user may look at the file on one. A JSON reader gets the same text either way.
 */
final class JsonEscapes extends CharacterEscapes {
  private static final int[] ASCII = standardAsciiEscapesForJSON();

  static {
    ASCII[0x7f] = ESCAPE_STANDARD;
  }

  @Override
  public int[] getEscapeCodesForAscii() {
    return ASCII.clone();
  }

  /** Asked for each char: half of a pair says nothing of its character. */
  @Override
  public @Nullable SerializableString getEscapeSequence(int unit) {
    return Character.isSurrogate((char) unit) || Printable.isPrintable(unit)
        ? null
        : new SerializedString(String.format("\\u%04X", unit));
  }
}
