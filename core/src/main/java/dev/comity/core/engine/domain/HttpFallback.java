package dev.comity.core.engine.domain;

import dev.comity.core.engine.domain.FetchTask.Completed;
import dev.comity.core.engine.shared.CrawlContext;
import dev.comity.core.outcome.Category;
import dev.comity.core.outcome.Kind;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.url.Authority;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * The fallback of seeds given as bare hosts: https is tried once, then http is used. The robots.txt
 * is always fetched first, so a page is never the request that fails.
 */
final class HttpFallback {
  private final CrawlContext context;
  private final ClaimedDomain claimed;

  /** Authorities that accept no https connection. */
  private final Set<Authority> withoutHttps = new HashSet<>();

  HttpFallback(CrawlContext context, ClaimedDomain claimed) {
    this.context = context;
    this.claimed = claimed;
  }

  /** Takes in an answer; says whether its authority falls back because of it. */
  boolean takes(Completed answer) {
    QueuedUrl entry = answer.task().entry();
    boolean falls =
        answer.task().kind() == Kind.ROBOTS
            && answer.startedAt().isEmpty()
            && hasNoConnection(answer.fetched().outcome().category())
            && entry.fallback().isPresent()
            && !wasReached(entry.url().authority());
    if (falls) {
      withoutHttps.add(entry.url().authority());
    }
    return falls;
  }

  private static boolean hasNoConnection(Category category) {
    return category == Category.CONNECTION_FAILED
        || category == Category.TLS_FAILURE
        || category == Category.TIMEOUT;
  }

  private boolean wasReached(Authority authority) {
    return !context.reachedHosts().isStranger(authority, claimed.claim())
        || claimed.state().heard().doors().letInOverHttps(authority.host());
  }

  /** The same URL over http, if its authority has fallen back. */
  Optional<QueuedUrl> overHttp(QueuedUrl entry) {
    return withoutHttps.contains(entry.url().authority())
        ? entry.fallback().map(entry::at)
        : Optional.empty();
  }
}
