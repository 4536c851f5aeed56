package dev.comity.web.html;

import dev.comity.core.port.fetch.ImageRef.Source;
import dev.comity.web.html.Srcset.Candidate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** An image while its page is being read. */
final class ImageDraft {
  /** What counts from the page's base, the best first. */
  private final List<String> references = new ArrayList<>(2);

  /** How many characters of text stand before it. */
  final int textOffset;

  final int figure;

  Source source;
  String alt = "";
  String title = "";
  String caption = "";
  OptionalInt width = OptionalInt.empty();
  OptionalInt height = OptionalInt.empty();
  Optional<String> linkTarget = Optional.empty();
  private Optional<Candidate> best = Optional.empty();

  /**
   * @param figure the number of the figure around it, 0 for none
   */
  ImageDraft(Source source, int textOffset, int figure) {
    this.source = source;
    this.textOffset = textOffset;
    this.figure = figure;
  }

  /** The image's own reference, which is the last resort where there are candidates. */
  void reference(String reference) {
    references.add(reference);
  }

  void candidates(String srcset, Source from) {
    Optional<Candidate> largest = Srcset.best(srcset);
    if (largest.isPresent() && (best.isEmpty() || largest.get().isLargerThan(best.get()))) {
      best = largest;
      source = from;
    }
  }

  /** The best reference first. */
  List<String> references() {
    List<String> all = new ArrayList<>(2);
    best.ifPresent(candidate -> all.add(candidate.reference()));
    all.addAll(references);
    return all;
  }

  String descriptor() {
    return best.map(Candidate::descriptor).orElse("");
  }
}
