package dev.comity.content;

import java.util.List;
import java.util.Optional;
import org.jsoup.nodes.Element;

/** Blocks of code: their language, and a fence that nothing in them ends. */
final class CodeBlocks {
  private static final int LONGEST_LANGUAGE = 20;

  private CodeBlocks() {}

  /** As {@code data-lang} or a class such as {@code language-java} says. */
  static Optional<String> language(Element code) {
    String named = code.attr("data-lang");
    for (String word : code.classNames()) {
      for (String start : List.of("language-", "lang-")) {
        named = named.isEmpty() && word.startsWith(start) ? word.substring(start.length()) : named;
      }
    }
    return Optional.of(named)
        .filter(language -> language.length() <= LONGEST_LANGUAGE)
        .filter(language -> language.matches("[\\w+#.-]+"));
  }

  /** Writes a preformatted element. */
  static void write(Element pre, Lines lines) {
    String code = pre.wholeText().replace("\r\n", "\n").replace('\r', '\n');
    String fence = "`".repeat(Math.max(3, longestRun(code) + 1));
    Optional<String> inner =
        Optional.ofNullable(pre.selectFirst("code")).flatMap(CodeBlocks::language);
    lines.block();
    lines.line(fence + language(pre).or(() -> inner).orElse(""));
    for (String line : trimmed(code).split("\n", -1)) {
      lines.line(line);
    }
    lines.line(fence);
  }

  /** Without empty lines at its ends. */
  private static String trimmed(String code) {
    String text = code.stripTrailing();
    int from = 0;
    for (int at = 0; at < text.length() && Character.isWhitespace(text.charAt(at)); at++) {
      from = text.charAt(at) == '\n' ? at + 1 : from;
    }
    return text.substring(from);
  }

  /** A stretch of code within a line. */
  static String inline(String code) {
    String ticks = "`".repeat(longestRun(code) + 1);
    boolean padded = code.startsWith("`") || code.endsWith("`");
    return ticks + (padded ? " " + code + " " : code) + ticks;
  }

  private static int longestRun(String code) {
    int longest = 0;
    int run = 0;
    for (int at = 0; at < code.length(); at++) {
      run = code.charAt(at) == '`' ? run + 1 : 0;
      longest = Math.max(longest, run);
    }
    return longest;
  }
}
