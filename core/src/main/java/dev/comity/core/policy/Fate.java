package dev.comity.core.policy;

import dev.comity.core.outcome.Category;
import dev.comity.core.usage.UsageRefusal;
import java.time.Instant;
import java.util.Optional;

/** What becomes of the URL that was asked. */
public sealed interface Fate {

  /** Whether the URL is now a page: it has an answer that is kept, and counts for the budgets. */
  default boolean isPage() {
    return this instanceof Done;
  }

  /** Whether the site answered with something that is not kept: no page, and no failing site. */
  default boolean isUnkept() {
    return switch (this) {
      case Skipped _ -> true;
      case Failed failed -> failed.answered();
      case Denied(var wish) -> wish.isPresent();
      case Done _, Retry _, Moved _, Suppressed _, Returned _ -> false;
    };
  }

  /** It has its answer. A 404 is one too. */
  record Done(Category category) implements Fate {
    static final Done SUCCESS = new Done(Category.SUCCESS);
    static final Done NOT_MODIFIED = new Done(Category.NOT_MODIFIED);
    static final Done REDIRECT = new Done(Category.REDIRECT);
    static final Done CLIENT_ERROR = new Done(Category.CLIENT_ERROR);
  }

  /** It ends without what was asked for. */
  record Failed(Category reason) implements Fate {
    /** Whether the site did answer: such a URL is no sign of a failing job. */
    public boolean answered() {
      return reason == Category.TOO_LARGE || reason == Category.UNDECODABLE;
    }
  }

  /**
   * It is asked again: not before the due time, and after every untried URL of its domain.
   *
   * @param spendsRetry whether this is one of the tries a URL has; a refusal costs none, for it
   *     says nothing about the URL
   */
  record Retry(Instant due, boolean spendsRetry) implements Fate {}

  /**
   * It was not asked: its robots.txt does not allow it, or the run wants no more sitemaps. Or a
   * wish of its site refuses what the crawl is for: then it was not asked, or its body not read.
   *
   * @param wish the wish that refuses it; empty where none does
   */
  record Denied(Optional<UsageRefusal> wish) implements Fate {
    /** Denied by robots.txt or by the run. */
    public Denied() {
      this(Optional.empty());
    }

    /** Denied by a wish. */
    public Denied(UsageRefusal wish) {
      this(Optional.of(wish));
    }
  }

  /**
   * It was not asked: its authority has moved for good, or cannot be connected to over https and
   * the seed was a bare host. The page is asked for at the other authority. It is no page of its
   * own.
   */
  record Moved() implements Fate {}

  /** It was not asked: URLs of its template bring nothing new any more. */
  record Suppressed() implements Fate {}

  /**
   * Its type is not kept: it is no page and no error. The answer said so, or the URL's ending, and
   * then it was not asked.
   */
  record Skipped() implements Fate {}

  /** Nothing was asked; it goes back to where it was. */
  record Returned() implements Fate {
    static final Returned RETURNED = new Returned();
  }
}
