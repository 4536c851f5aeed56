package dev.comity.web.html;

import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The charset a Content-Type names, read the way browsers read it. */
final class HeaderCharset {
  private static final Pattern PARAMETER =
      Pattern.compile(";\\s*charset\\s*=\\s*[\"']?([^\\s\"';,]+)", Pattern.CASE_INSENSITIVE);

  private HeaderCharset() {}

  /** A charset that can be decoded here; an unknown one is as good as none. */
  static Optional<String> in(String contentType) {
    Matcher matcher = PARAMETER.matcher(contentType);
    return matcher.find() ? known(matcher.group(1)) : Optional.empty();
  }

  private static Optional<String> known(String label) {
    try {
      if (!Charset.isSupported(label)) {
        return Optional.empty();
      }
    } catch (IllegalCharsetNameException _) {
      return Optional.empty();
    }
    String name = Charset.forName(label).name();
    return Optional.of(
        switch (name) {
          // Pages that say these mean the Windows set, which has letters where they have controls.
          case "ISO-8859-1", "US-ASCII" -> "windows-1252";
          default -> name;
        });
  }
}
