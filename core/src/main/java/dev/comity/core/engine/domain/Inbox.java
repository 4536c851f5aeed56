package dev.comity.core.engine.domain;

import dev.comity.core.engine.domain.FetchTask.Completed;
import dev.comity.core.engine.domain.FetchTask.Report;
import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.port.Signal;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/** Reports to a worker that it has not handled yet. Thread-safe. */
final class Inbox {
  private final Queue<Report> reports = new ConcurrentLinkedQueue<>();

  /** Raised when there is a report, or another reason to look again. */
  final Signal wake = new Signal();

  void add(Report report) {
    reports.add(report);
    wake.raise();
  }

  /** Takes the next report; null without one. */
  @Nullable Report poll() {
    return reports.poll();
  }

  /** Whether a report may hold requests back: the site asks to slow down or go away. */
  boolean hasPushback() {
    for (Report report : reports) {
      if (report instanceof Completed answer
          && answer.fetched().outcome() instanceof FetchOutcome.Pushback) {
        return true;
      }
    }
    return false;
  }
}
