package dev.comity.web.html;

import dev.comity.web.html.HtmlScanner.Piece;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Makes text of a page's bytes. The charset comes from, in the order browsers use: the byte order
 * mark, the header, a meta element, and for XHTML its first line. Without any of these it is UTF-8
 * if all of it can be, and otherwise windows-1252.
 */
final class PageCharset {
  /**
   * How far a page may put its meta element. The standard looks at 1,024 bytes before it reads the
   * page, and starts over if it meets one later.
   */
  private static final int PRESCAN = 16 * 1024;

  private static final String WINDOWS_1252 = "windows-1252";

  private static final Pattern PARAMETER =
      Pattern.compile(
          "charset\\s*+=\\s*+(?:\"([^\"]*+)\"|'([^']*+)'|([^\\s\"';,]++))",
          Pattern.CASE_INSENSITIVE);
  private static final Pattern XML =
      Pattern.compile("^<\\?xml\\b[^>]*?\\bencoding\\s*+=\\s*+[\"']([^\"'>]++)[\"']");

  private PageCharset() {}

  /** The page as text; whatever the bytes, and whatever is said about them. */
  static String decoded(byte[] bytes, Optional<String> contentType) {
    if (startsWith(bytes, 0xEF, 0xBB, 0xBF)) {
      return new String(bytes, 3, bytes.length - 3, StandardCharsets.UTF_8);
    }
    if (startsWith(bytes, 0xFE, 0xFF)) {
      return new String(bytes, 2, bytes.length - 2, StandardCharsets.UTF_16BE);
    }
    if (startsWith(bytes, 0xFF, 0xFE)) {
      return new String(bytes, 2, bytes.length - 2, StandardCharsets.UTF_16LE);
    }
    return contentType
        .flatMap(PageCharset::parameter)
        .or(() -> declared(bytes))
        .map(charset -> text(bytes, charset))
        .orElseGet(() -> guessed(bytes));
  }

  /** The name of the charset by which {@link #decoded} reads these bytes. */
  static String name(byte[] bytes, Optional<String> contentType) {
    if (startsWith(bytes, 0xEF, 0xBB, 0xBF)) {
      return "UTF-8";
    }
    if (startsWith(bytes, 0xFE, 0xFF)) {
      return "UTF-16BE";
    }
    if (startsWith(bytes, 0xFF, 0xFE)) {
      return "UTF-16LE";
    }
    return contentType
        .flatMap(PageCharset::parameter)
        .or(() -> declared(bytes))
        .orElseGet(() -> isUtf8(bytes) ? "UTF-8" : WINDOWS_1252);
  }

  private static boolean startsWith(byte[] bytes, int... mark) {
    if (bytes.length < mark.length) {
      return false;
    }
    for (int index = 0; index < mark.length; index++) {
      if ((bytes[index] & 0xFF) != mark[index]) {
        return false;
      }
    }
    return true;
  }

  static String text(byte[] bytes, String charset) {
    return charset.equals(CharsetLabels.REPLACEMENT)
        ? "\ufffd"
        : new String(bytes, Charset.forName(charset));
  }

  private static Optional<String> parameter(String contentType) {
    Matcher matcher = PARAMETER.matcher(contentType);
    return matcher.find()
        ? Optional.ofNullable(matcher.group(1))
            .or(() -> Optional.ofNullable(matcher.group(2)))
            .or(() -> Optional.ofNullable(matcher.group(3)))
            .flatMap(CharsetLabels::charset)
        : Optional.empty();
  }

  /** What the page says itself. That it can be read as far as that shows that it is no UTF-16. */
  private static Optional<String> declared(byte[] bytes) {
    String start =
        new String(bytes, 0, Math.min(bytes.length, PRESCAN), StandardCharsets.ISO_8859_1);
    return meta(start)
        .or(() -> xml(start))
        .map(charset -> charset.startsWith("UTF-16") ? "UTF-8" : charset);
  }

  private static Optional<String> meta(String start) {
    HtmlScanner scanner = new HtmlScanner(start);
    for (Piece piece = scanner.next(); piece != Piece.NOTHING; piece = scanner.next()) {
      if (piece == Piece.START && scanner.tag() == Tag.META) {
        Optional<String> charset =
            scanner
                .attribute("charset")
                .flatMap(CharsetLabels::charset)
                .or(() -> httpEquiv(scanner));
        if (charset.isPresent()) {
          return charset;
        }
      }
    }
    return Optional.empty();
  }

  private static Optional<String> httpEquiv(HtmlScanner scanner) {
    return scanner
        .attribute("http-equiv")
        .filter(name -> name.toLowerCase(Locale.ROOT).equals("content-type"))
        .flatMap(_ -> scanner.attribute("content"))
        .flatMap(PageCharset::parameter);
  }

  private static Optional<String> xml(String start) {
    Matcher matcher = XML.matcher(start);
    return matcher.find() ? CharsetLabels.charset(matcher.group(1)) : Optional.empty();
  }

  private static String guessed(byte[] bytes) {
    String text = new String(bytes, StandardCharsets.UTF_8);
    return text.indexOf('\ufffd') < 0 || isUtf8(bytes) ? text : text(bytes, WINDOWS_1252);
  }

  /** Asked only where the text has a replacement character, which the page may have itself. */
  private static boolean isUtf8(byte[] bytes) {
    try {
      StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes));
      return true;
    } catch (CharacterCodingException _) {
      return false;
    }
  }
}
