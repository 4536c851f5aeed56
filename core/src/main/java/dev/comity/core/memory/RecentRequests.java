package dev.comity.core.memory;

import dev.comity.core.outcome.Attempt;
import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.port.store.Claim;
import dev.comity.core.port.store.Reports.LoggedRequest;
import dev.comity.core.url.DomainName;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.OptionalInt;

/** The last requests of all domains together. A whole log would grow with the crawl. */
final class RecentRequests {
  /** Enough to see how a site is asked, and some hundred kilobytes at most. */
  private static final int MOST = 1000;

  private record Row(DomainName domain, long token, Attempt attempt, OptionalInt status) {
    private boolean isOf(Claim claim, Attempt asked) {
      return token == claim.token() && attempt.equals(asked) && domain.equals(claim.domain());
    }

    private LoggedRequest logged() {
      return new LoggedRequest(
          attempt.url().toString(), attempt.kind(), token, attempt.startedAt(), status);
    }
  }

  /** The newest first. */
  private final Deque<Row> rows = new ArrayDeque<>();

  void add(Claim claim, Attempt attempt, FetchOutcome outcome) {
    rows.addFirst(new Row(claim.domain(), claim.token(), attempt, outcome.status()));
    if (rows.size() > MOST) {
      rows.removeLast();
    }
  }

  /** Whether this request is among them, so that it was written before. */
  boolean has(Claim claim, Attempt attempt) {
    return rows.stream().anyMatch(row -> row.isOf(claim, attempt));
  }

  List<LoggedRequest> of(DomainName domain, int limit) {
    return rows.stream()
        .filter(row -> row.domain().equals(domain))
        .map(Row::logged)
        .sorted(Comparator.comparing(LoggedRequest::startedAt).reversed())
        .limit(limit)
        .toList();
  }
}
