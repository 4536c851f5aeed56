package dev.comity.web.http;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * What a body is by its first bytes, much as browsers look at them. A server that calls a PDF a
 * page is not believed; one that has no name for its pages is helped.
 */
final class Sniff {
  /** How many bytes are looked at. */
  static final int MOST = 512;

  /** Types by which a server says that it does not know. */
  private static final Set<String> USELESS =
      Set.of(
          "application/octet-stream",
          "binary/octet-stream",
          "application/unknown",
          "unknown/unknown",
          "*/*");

  private static final Set<String> PAGES = Set.of("text/html", "application/xhtml+xml");

  private static final List<Signature> SIGNATURES =
      List.of(
          new Signature("application/pdf", "%PDF-"),
          new Signature("image/png", "\u0089PNG\r\n\u001a\n"),
          new Signature("image/gif", "GIF87a"),
          new Signature("image/gif", "GIF89a"),
          new Signature("image/jpeg", "\u00ff\u00d8\u00ff"),
          new Signature("image/webp", "RIFF", 8, "WEBPVP"),
          new Signature("image/x-icon", "\0\0\u0001\0"),
          new Signature("audio/wave", "RIFF", 8, "WAVE"),
          new Signature("application/ogg", "OggS\0"),
          new Signature("video/mp4", "\0\0\0", 4, "ftyp"),
          new Signature("video/webm", "\u001aE\u00df\u00a3"),
          new Signature("application/zip", "PK\u0003\u0004"),
          new Signature("application/gzip", "\u001f\u008b\b"),
          new Signature("application/x-rar-compressed", "Rar!\u001a\u0007"),
          new Signature("application/x-7z-compressed", "7z\u00bc\u00af'\u001c"),
          new Signature("application/zstd", "(\u00b5/\u00fd"),
          new Signature("font/woff2", "wOF2\0"),
          new Signature("font/woff", "wOFF\0"),
          new Signature("application/wasm", "\0asm"),
          new Signature("application/x-executable", "\u007fELF"),
          new Signature("application/postscript", "%!PS-Adobe-"));

  private static final List<String> TAGS =
      List.of(
          "<!doctype html",
          "<html",
          "<head",
          "<body",
          "<title",
          "<meta",
          "<script",
          "<style",
          "<iframe",
          "<table",
          "<div",
          "<font",
          "<h1",
          "<br",
          "<p",
          "<a",
          "<b");

  private Sniff() {}

  /** Bytes by which a format is known, one character each: at the start, and further on. */
  private record Signature(String type, String start, int at, String later) {
    Signature(String type, String start) {
      this(type, start, 0, "");
    }

    boolean isOf(String head) {
      return head.startsWith(start) && head.startsWith(later, at);
    }
  }

  /** Whether a body of this type may be a page: then its first bytes decide. */
  static boolean mayBePage(Optional<String> declared) {
    return declared.isEmpty() || PAGES.contains(declared.get()) || USELESS.contains(declared.get());
  }

  /**
   * What the body is, where it is no page.
   *
   * @param declared what the server calls it, one of those that {@link #mayBePage}
   * @param bytes begin with its first
   * @param length how many of them those are: {@link #MOST} if it has as many
   */
  static Optional<String> otherThanPage(Optional<String> declared, byte[] bytes, int length) {
    String text = new String(bytes, 0, length, StandardCharsets.ISO_8859_1);
    for (Signature signature : SIGNATURES) {
      if (signature.isOf(text)) {
        return Optional.of(signature.type());
      }
    }
    if (declared.isEmpty()) {
      return isBinary(text) ? Optional.of("application/octet-stream") : Optional.empty();
    }
    return PAGES.contains(declared.get()) || looksLikePage(text) ? Optional.empty() : declared;
  }

  /** Whether it begins as pages do, after white space and a mark of its charset. */
  private static boolean looksLikePage(String head) {
    String marked = head.startsWith("\u00ef\u00bb\u00bf") ? head.substring(3) : head;
    String start = marked.stripLeading().toLowerCase(Locale.ROOT);
    return TAGS.stream().anyMatch(tag -> beginsWith(tag, start))
        || start.startsWith("<!--")
        || (start.startsWith("<?xml") && start.contains("<html"));
  }

  /** A tag's name ends with white space or the tag. */
  private static boolean beginsWith(String tag, String start) {
    return start.startsWith(tag)
        && start.length() > tag.length()
        && " \t\r\n\f/>".indexOf(start.charAt(tag.length())) >= 0;
  }

  /** Text has no such control characters, unless it is of two bytes a character and says so. */
  private static boolean isBinary(String head) {
    boolean wide = head.startsWith("\u00fe\u00ff") || head.startsWith("\u00ff\u00fe");
    return !wide && head.chars().anyMatch(c -> c < ' ' && "\t\n\f\r\u001b".indexOf(c) < 0);
  }
}
