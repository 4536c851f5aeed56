package dev.comity.core.memory;

import dev.comity.core.outcome.Attempt;
import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.outcome.Kind;
import dev.comity.core.port.store.Claim;
import dev.comity.core.port.store.Reports.LoggedRequest;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.DomainName;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.OptionalInt;

/** The last requests of all domains together. A whole log would grow with the crawl. */
final class RecentRequests {
  /** Enough to see how sites are asked now; ten thousand domains may take ten megabytes in all. */
  private static final int MOST = 100;

  /**
   * @param status 0 if there is none
   */
  private record Row(
      DomainName domain, CrawlUrl url, Kind kind, long token, Instant startedAt, int status) {
    private boolean isOf(Claim claim, Attempt attempt) {
      return token == claim.token()
          && startedAt.equals(attempt.startedAt())
          && url.equals(attempt.url())
          && kind == attempt.kind()
          && domain.equals(claim.domain());
    }

    private LoggedRequest logged() {
      return new LoggedRequest(
          url.toString(),
          kind,
          token,
          startedAt,
          status == 0 ? OptionalInt.empty() : OptionalInt.of(status));
    }
  }

  /** The newest first. */
  private final Deque<Row> rows = new ArrayDeque<>();

  void add(Claim claim, Attempt attempt, FetchOutcome outcome) {
    rows.addFirst(
        new Row(
            claim.domain(),
            attempt.url(),
            attempt.kind(),
            claim.token(),
            attempt.startedAt(),
            outcome.status().orElse(0)));
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
