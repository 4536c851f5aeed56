package dev.comity.app.text;

import org.jspecify.annotations.Nullable;
import tools.jackson.core.SerializableString;
import tools.jackson.core.io.CharacterEscapes;
import tools.jackson.core.io.SerializedString;

/**
 * Writes as an escape whatever does not stand on its line as a character does. JSON demands that
 * only of the first 32; but others end lines as well (U+2028, U+0085), turn the reading direction
 * or command a terminal (U+009B), and the file may well be looked at on one. Readers of JSON get
 * the same text either way.
 */
public final class VisibleCharacters extends CharacterEscapes {
  private static final int[] ASCII = standardAsciiEscapesForJSON();

  static {
    ASCII[0x7f] = ESCAPE_STANDARD;
  }

  @Override
  public int[] getEscapeCodesForAscii() {
    return ASCII.clone();
  }

  @Override
  public @Nullable SerializableString getEscapeSequence(int unit) {
    return switch (Character.getType(unit)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          new SerializedString(String.format("\\u%04X", unit));
      default -> null;
    };
  }
}
