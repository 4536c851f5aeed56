package dev.comity.core.port.run;

import dev.comity.core.outcome.Kind;
import java.util.Optional;

/** Which URLs of a frontier a worker takes. Sitemaps count among the pages: they lead to some. */
public enum Wanted {
  ANY,
  PAGES,
  IMAGES;

  /** What is wanted where pages, images or both are; empty for neither. */
  public static Optional<Wanted> of(boolean pages, boolean images) {
    if (pages) {
      return Optional.of(images ? ANY : PAGES);
    }
    return images ? Optional.of(IMAGES) : Optional.empty();
  }

  public boolean takes(Kind kind) {
    return switch (this) {
      case ANY -> true;
      case PAGES -> kind != Kind.IMAGE;
      case IMAGES -> kind == Kind.IMAGE;
    };
  }
}
