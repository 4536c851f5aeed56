package dev.comity.core.usage;

import dev.comity.core.util.Printable;

/**
 * One statement of a site about the use of its content.
 *
 * @param words as the site wrote it, made printable and cut to a hundred characters
 */
public record Wish(UsageSignal signal, FoundIn origin, String words) {

  public Wish {
    words = Printable.cut(Printable.text(Printable.cut(words)));
  }

  /** Where it was read. */
  public enum FoundIn {
    ROBOTS_TXT("robots.txt", "robots.txt"),
    TDMREP_FILE("tdmrep.json", "/.well-known/tdmrep.json"),
    HEADER("header", "the response header"),
    META("page", "the page"),
    IMAGE("image", "the image file");

    private final String code;
    private final String words;

    FoundIn(String code, String words) {
      this.code = code;
      this.words = words;
    }

    /** Its name in stored rows and JSON. */
    public String code() {
      return code;
    }

    @Override
    public String toString() {
      return words;
    }
  }

  /** For people: where it was read, and the words. */
  @Override
  public String toString() {
    return origin + " says \"" + words + "\"";
  }
}
