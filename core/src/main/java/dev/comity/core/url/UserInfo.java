package dev.comity.core.url;

/** The name and password some URLs carry before their host. We have no use for either. */
final class UserInfo {
  private static final String HIDDEN = "…";

  private UserInfo() {}

  /** The text with an ellipsis in place of the user info, whatever else may be wrong with it. */
  static String hidden(String text) {
    int at = text.indexOf('@');
    if (at < 0 || at > UrlReader.LONGEST_INPUT) {
      return text;
    }
    int start = 0;
    for (int character = 0; character < at; character++) {
      if (Characters.isSlash(text.charAt(character)) || text.charAt(character) == ':') {
        start = character + 1;
      } else if (start > 0) {
        break;
      }
    }
    int end = Math.min(text.length(), UrlReader.LONGEST_INPUT);
    for (int character = start; character < end; character++) {
      if (Characters.isSlash(text.charAt(character))) {
        end = character;
      }
    }
    int last = text.lastIndexOf('@', end - 1);
    return last <= start ? text : text.substring(0, start) + HIDDEN + text.substring(last);
  }
}
