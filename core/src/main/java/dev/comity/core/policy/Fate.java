package dev.comity.core.policy;

import dev.comity.core.outcome.Category;
import java.time.Instant;

/** What becomes of a URL after an attempt. */
public sealed interface Fate {
  /** Answered: it is a page and counts against budgets. */
  record Done() implements Fate {}

  /** It ended without an answer that counts as a page. */
  record Failed(Category reason) implements Fate {}

  /** robots.txt does not allow it. */
  record Denied() implements Fate {}

  /** The same URL once more, not before then. */
  record Later(Instant due, boolean counted) implements Fate {}
}
