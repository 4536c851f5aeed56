package dev.comity.core.usage;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Reads a dictionary of RFC 9651, such as {@code train-ai=n, search=y;q=1}. Parameters are checked
 * and dropped. An inner list is kept as its text. Each character is looked at once.
 */
final class StructuredDictionary {
  /** In characters; a longer line is not read. */
  static final int LONGEST = 8_192;

  private final String text;
  private int at;
  private boolean broken;

  private StructuredDictionary(String text) {
    this.text = text;
  }

  /**
   * @param value as written: {@code n} for a token, {@code ?0} for a boolean, a string in quotes
   */
  record DictionaryMember(String key, String value) {}

  /** Every member in order, repeated keys too; empty if the line breaks the grammar. */
  static Optional<List<DictionaryMember>> read(String line) {
    if (line.length() > LONGEST) {
      return Optional.empty();
    }
    StructuredDictionary reader = new StructuredDictionary(line.strip());
    List<DictionaryMember> members = reader.members();
    return reader.broken ? Optional.empty() : Optional.of(members);
  }

  private List<DictionaryMember> members() {
    List<DictionaryMember> members = new ArrayList<>();
    while (at < text.length() && !broken) {
      String key = key();
      String value = "?1";
      if (takes('=')) {
        int start = at;
        if (peek() == '(') {
          innerList();
        } else {
          bareItem();
        }
        value = text.substring(start, at);
      }
      parameters();
      members.add(new DictionaryMember(key, value));
      spaces(true);
      if (at < text.length()) {
        require(takes(','));
        spaces(true);
        require(at < text.length());
      }
    }
    return members;
  }

  private String key() {
    int start = at;
    require(isLower(peek()) || peek() == '*');
    while (isLower(peek()) || isDigit(peek()) || (peek() != 0 && "_-.*".indexOf(peek()) >= 0)) {
      skip();
    }
    return text.substring(start, at);
  }

  private void innerList() {
    skip();
    spaces(false);
    while (!broken && !takes(')')) {
      bareItem();
      parameters();
      require(peek() == ' ' || peek() == ')');
      spaces(false);
    }
  }

  private void parameters() {
    while (!broken && takes(';')) {
      spaces(false);
      key();
      if (takes('=')) {
        bareItem();
      }
    }
  }

  private void bareItem() {
    char first = peek();
    if (first == '"') {
      quoted(true);
    } else if (first == '%') {
      skip();
      require(peek() == '"');
      quoted(false);
    } else if (first == ':') {
      skip();
      upTo(':');
    } else if (first == '?') {
      skip();
      require(takes('0') || takes('1'));
    } else if (first == '@') {
      skip();
      number();
    } else if (first == '-' || isDigit(first)) {
      number();
    } else {
      token();
    }
  }

  private void quoted(boolean withEscapes) {
    skip();
    while (!broken && peek() != '"') {
      require(peek() >= ' ' && peek() < 0x7f);
      if (withEscapes && peek() == '\\') {
        skip();
        require(peek() == '"' || peek() == '\\');
      }
      skip();
    }
    skip();
  }

  private void upTo(char end) {
    while (!broken && peek() != end) {
      require(isLower(lower(peek())) || isDigit(peek()) || isOneOf("+/="));
      skip();
    }
    skip();
  }

  private void number() {
    takes('-');
    require(isDigit(peek()));
    while (isDigit(peek())) {
      skip();
    }
    if (takes('.')) {
      require(isDigit(peek()));
      while (isDigit(peek())) {
        skip();
      }
    }
  }

  private void token() {
    require(isLower(lower(peek())) || peek() == '*');
    while (isLower(lower(peek())) || isDigit(peek()) || isOneOf("!#$%&'*+-.^_`|~:/")) {
      skip();
    }
  }

  private void spaces(boolean withTabs) {
    while (peek() == ' ' || (withTabs && peek() == '\t')) {
      skip();
    }
  }

  /** The next character; U+0000 at the end, which no rule of the grammar takes. */
  private char peek() {
    return at < text.length() ? text.charAt(at) : 0;
  }

  private void skip() {
    at = Math.min(at + 1, text.length());
  }

  private boolean takes(char expected) {
    boolean taken = peek() == expected;
    at += taken ? 1 : 0;
    return taken;
  }

  private boolean isOneOf(String characters) {
    return peek() != 0 && characters.indexOf(peek()) >= 0;
  }

  /** A line that breaks the grammar has no members: reading ends here. */
  private void require(boolean holds) {
    if (!holds) {
      broken = true;
      at = text.length();
    }
  }

  private static char lower(char character) {
    return character >= 'A' && character <= 'Z' ? (char) (character | 0x20) : character;
  }

  private static boolean isLower(char character) {
    return character >= 'a' && character <= 'z';
  }

  private static boolean isDigit(char character) {
    return character >= '0' && character <= '9';
  }
}
