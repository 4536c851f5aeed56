package dev.comity.web.html;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The licence links and credits of a page, for its images. An image in a figure takes those of its
 * figure first. Else the nearest licence of the page counts, and a credit close by.
 */
final class ImageRights {
  /** Of licences, and again of credits; more are not read. */
  private static final int MOST = 200;

  /** In characters of text: a credit stands beside its image or under it. */
  private static final int CLOSE = 200;

  private final List<Note> licences = new ArrayList<>();
  private final List<Note> credits = new ArrayList<>();
  private Optional<TextDraft> open = Optional.empty();

  private record Note(int textOffset, int figure, TextDraft words) {}

  void start(HtmlScanner scanner, int textOffset, int figure) {
    Tag tag = scanner.tag();
    if (tag == Tag.A || tag == Tag.LINK) {
      licence(scanner, textOffset, figure);
    }
    Optional<String> property = scanner.attribute("itemprop");
    if (property.isEmpty() || credits.size() == MOST) {
      return;
    }
    switch (property.get().strip().toLowerCase(Locale.ROOT)) {
      case "credittext", "copyrightnotice" -> {
        TextDraft words = new TextDraft(PageImages.LONGEST_TEXT);
        scanner
            .attribute("content")
            .ifPresentOrElse(
                value -> words.append(value, 0, value.length(), false),
                () -> open = Optional.of(words));
        credits.add(new Note(textOffset, figure, words));
      }
      default -> {}
    }
  }

  private void licence(HtmlScanner scanner, int textOffset, int figure) {
    Optional<String> target = scanner.attribute("href");
    boolean named =
        scanner.attribute("rel").filter(rel -> RelWords.has(rel, "license")).isPresent()
            || scanner.attribute("itemprop").filter("license"::equalsIgnoreCase).isPresent();
    if (licences.size() < MOST && target.filter(href -> named || isCommons(href)).isPresent()) {
      TextDraft reference = new TextDraft(target.get().length());
      reference.append(target.get(), 0, target.get().length(), false);
      licences.add(new Note(textOffset, figure, reference));
    }
  }

  private static boolean isCommons(String href) {
    return href.contains("//creativecommons.org/licenses/")
        || href.contains("//creativecommons.org/publicdomain/");
  }

  /** A credit's words go on to the next end tag. */
  void text(HtmlScanner scanner) {
    open.ifPresent(scanner::appendTo);
  }

  void end() {
    open = Optional.empty();
  }

  Optional<String> licence(ImageDraft image) {
    return nearest(licences, image).map(note -> note.words().toString());
  }

  String credit(ImageDraft image) {
    return nearest(credits, image)
        .filter(
            note ->
                isOfFigure(note, image)
                    || (note.figure() == 0 && image.figure == 0 && distance(note, image) <= CLOSE))
        .map(note -> note.words().toString())
        .orElse("");
  }

  private static Optional<Note> nearest(List<Note> notes, ImageDraft image) {
    Optional<Note> nearest = Optional.empty();
    for (Note note : notes) {
      boolean another = note.figure() != 0 && note.figure() != image.figure;
      if (!another && nearest.filter(known -> !isNearer(note, known, image)).isEmpty()) {
        nearest = Optional.of(note);
      }
    }
    return nearest;
  }

  private static boolean isNearer(Note note, Note known, ImageDraft image) {
    return isOfFigure(note, image) == isOfFigure(known, image)
        ? distance(note, image) < distance(known, image)
        : isOfFigure(note, image);
  }

  private static boolean isOfFigure(Note note, ImageDraft image) {
    return note.figure() != 0 && note.figure() == image.figure;
  }

  private static int distance(Note note, ImageDraft image) {
    return Math.abs(note.textOffset() - image.textOffset);
  }
}
