package dev.comity.core.port;

import dev.comity.core.outcome.Fetched;
import dev.comity.core.policy.Attempt;
import dev.comity.core.policy.DomainState;
import dev.comity.core.policy.Fate;
import java.util.List;
import java.util.Optional;

/**
 * Everything one attempt leaves behind, written together or not at all.
 *
 * @param entry the URL as it was taken
 * @param attempt the request, where one was sent
 * @param fate what becomes of the URL
 * @param state the domain's state after it
 * @param found URLs to add, of any domain, each added once however often it is found
 * @param page what to keep of the answer, where the URL ended as a page
 */
public record Settlement(
    QueuedUrl entry,
    Optional<Attempt> attempt,
    Optional<Fetched> fetched,
    Fate fate,
    DomainState state,
    List<QueuedUrl> found,
    Optional<PageContent> page) {

  /**
   * What a page holds beside its status.
   *
   * @param leftOut how many of its links do not count because they are too long or too many
   * @param mayKeep whether title and text may be kept or shown
   */
  public record PageContent(
      Optional<String> title,
      String text,
      Optional<String> contentType,
      int leftOut,
      boolean mayKeep) {

    /** A page whose links all count, and of which all may be kept. */
    public PageContent(Optional<String> title, String text, Optional<String> contentType) {
      this(title, text, contentType, 0, true);
    }
  }
}
