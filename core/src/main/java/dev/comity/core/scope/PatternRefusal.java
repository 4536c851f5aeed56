package dev.comity.core.scope;

import com.google.re2j.PatternSyntaxException;
import dev.comity.core.util.Printable;
import java.util.ArrayDeque;

/**
 * Why a text is no pattern.
 *
 * @param pattern what was to be read, cut where it is long
 * @param position where in it the trouble is, counted from 0
 * @param rule what is wrong there
 * @param fix what to write instead
 */
public record PatternRefusal(String pattern, int position, String rule, String fix)
    implements ParsedPattern {

  static PatternRefusal tooLong(String text) {
    return new PatternRefusal(
        Printable.cut(text),
        UrlPattern.LONGEST,
        "a pattern may have at most " + UrlPattern.LONGEST + " characters",
        "give several shorter ones; a URL needs to match one of them");
  }

  static PatternRefusal tooLarge(String text) {
    return new PatternRefusal(
        Printable.cut(text),
        text.indexOf('{'),
        "its repeat counts multiply to more than " + RepeatCounts.LARGEST_PRODUCT,
        "use * or + instead of large counts");
  }

  static PatternRefusal of(String text, PatternSyntaxException wrong) {
    String fragment = wrong.getPattern();
    int found = fragment.isEmpty() ? text.length() - 1 : text.indexOf(fragment);
    int position = Math.max(0, found);
    return switch (wrong.getDescription()) {
      case "missing closing )" ->
          at(
              text,
              unclosed(text),
              "a parenthesis is not closed",
              "close it, or write \\( for the character");
      // What the library says of a closing parenthesis too many is about its own insides.
      case "regexp/syntax: internal error", "unexpected )" ->
          at(
              text,
              unopened(text),
              "a parenthesis is closed that was not opened",
              "write \\) for the character");
      case "missing closing ]" ->
          at(text, position, "a bracket is not closed", "close it, or write \\[ for the character");
      case "missing argument to repetition operator" ->
          at(
              text,
              position,
              "there is nothing before it to repeat",
              "write .* for any text, or escape it with \\");
      case "invalid nested repetition operator" ->
          at(
              text,
              position,
              "a repetition is repeated",
              "keep one of the operators, or put the inner one in (?:…)");
      case "invalid repeat count" ->
          at(
              text,
              position,
              "a count is at most 1000, the smaller one first",
              "write it like {1,1000}");
      case "trailing backslash at end of expression" ->
          at(text, position, "a backslash escapes nothing", "write \\\\ for the character");
      case "invalid escape sequence" ->
          at(
              text,
              position,
              "there is no such escape; back-references do not exist here",
              "leave the backslash out");
      case "invalid or unsupported Perl syntax", "invalid named capture" ->
          at(
              text,
              position,
              "look-around does not exist here, because matching takes linear time",
              "use an exclude pattern for what must not match, or (?:…) to group");
      default -> at(text, position, wrong.getDescription(), "see the syntax of RE2");
    };
  }

  private static PatternRefusal at(String text, int position, String rule, String fix) {
    return new PatternRefusal(Printable.cut(text), position, rule, fix);
  }

  /** One line for people. */
  public String message() {
    return "bad pattern "
        + Printable.quoted(pattern)
        + " at character "
        + (position + 1)
        + ": "
        + rule
        + "; "
        + fix;
  }

  private static int unclosed(String text) {
    return lonely(text, true);
  }

  private static int unopened(String text) {
    return lonely(text, false);
  }

  /** The last parenthesis without a partner, of the opening or the closing kind. */
  private static int lonely(String text, boolean opening) {
    ArrayDeque<Integer> open = new ArrayDeque<>();
    boolean inBrackets = false;
    for (int at = 0; at < text.length(); at++) {
      switch (text.charAt(at)) {
        case '\\' -> at++;
        case '[' -> inBrackets = true;
        case ']' -> inBrackets = false;
        case '(' -> {
          if (!inBrackets) {
            open.push(at);
          }
        }
        case ')' -> {
          if (!inBrackets && open.isEmpty() && !opening) {
            return at;
          }
          if (!inBrackets && !open.isEmpty()) {
            open.pop();
          }
        }
        default -> {}
      }
    }
    return open.isEmpty() ? 0 : open.peek();
  }
}
