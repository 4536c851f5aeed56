package dev.comity.web.html;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The image candidates of a {@code srcset}. */
final class Srcset {
  /** More candidates than any page has. */
  private static final int MOST = 200;

  /** {@code 100000.5x} and no more. */
  private static final int LONGEST_DESCRIPTOR = 12;

  private Srcset() {}

  /**
   * A candidate.
   *
   * @param descriptor such as {@code 1200w} or {@code 2x}; empty where none is said
   */
  record Candidate(String reference, String descriptor) {
    boolean hasWidth() {
      return descriptor.endsWith("w");
    }

    /** The width or the density; a candidate without a descriptor has density 1. */
    double size() {
      if (descriptor.isEmpty()) {
        return 1;
      }
      try {
        double size = Double.parseDouble(descriptor.substring(0, descriptor.length() - 1));
        return size > 0 && size < 1e6 ? size : 0;
      } catch (NumberFormatException _) {
        return 0;
      }
    }

    /** A width tells more than a density. */
    boolean isLargerThan(Candidate other) {
      return hasWidth() == other.hasWidth() ? size() > other.size() : hasWidth();
    }
  }

  /** The largest candidate; the first of equal ones. */
  static Optional<Candidate> best(String srcset) {
    Optional<Candidate> best = Optional.empty();
    for (Candidate candidate : candidates(srcset, MOST)) {
      if (best.isEmpty() || candidate.isLargerThan(best.get())) {
        best = Optional.of(candidate);
      }
    }
    return best;
  }

  /** The references in it, so many at most. A comma inside a URL is part of it. */
  static List<String> references(String srcset, int most) {
    return candidates(srcset, most).stream().map(Candidate::reference).toList();
  }

  private static List<Candidate> candidates(String srcset, int most) {
    List<Candidate> found = new ArrayList<>();
    int at = 0;
    while (found.size() < most) {
      while (at < srcset.length() && (isSpace(srcset, at) || srcset.charAt(at) == ',')) {
        at++;
      }
      if (at == srcset.length()) {
        break;
      }
      int start = at;
      while (at < srcset.length() && !isSpace(srcset, at)) {
        at++;
      }
      int end = at;
      while (srcset.charAt(end - 1) == ',') {
        end--;
      }
      String reference = srcset.substring(start, end);
      String descriptor = "";
      if (end == at) {
        at = afterDescriptors(srcset, at);
        descriptor = descriptor(srcset.substring(end, at).strip());
      }
      found.add(new Candidate(reference, descriptor));
    }
    return found;
  }

  /** A width or a density; nothing for anything else. */
  private static String descriptor(String text) {
    boolean known =
        !text.isEmpty()
            && text.length() <= LONGEST_DESCRIPTOR
            && (text.endsWith("w") || text.endsWith("x"))
            && text.chars().limit(text.length() - 1L).allMatch(Srcset::isOfNumber);
    return known ? text : "";
  }

  private static boolean isOfNumber(int character) {
    return (character >= '0' && character <= '9') || character == '.';
  }

  private static int afterDescriptors(String srcset, int start) {
    int at = start;
    boolean inParentheses = false;
    while (at < srcset.length() && (inParentheses || srcset.charAt(at) != ',')) {
      inParentheses = srcset.charAt(at) == '(' || (inParentheses && srcset.charAt(at) != ')');
      at++;
    }
    return at;
  }

  private static boolean isSpace(String srcset, int at) {
    return HtmlScanner.isSpace(srcset.charAt(at));
  }
}
