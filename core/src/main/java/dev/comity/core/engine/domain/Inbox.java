package dev.comity.core.engine.domain;

import dev.comity.core.engine.shared.FetchTask;
import dev.comity.core.engine.shared.FetchTask.Answer;
import dev.comity.core.engine.shared.FetchTask.Report;
import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.port.Signal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/** What a worker has been told and not heard yet. Any thread may tell it something. */
final class Inbox {
  private final Queue<Report> reports = new ConcurrentLinkedQueue<>();
  private final Signal wake = new Signal();

  void add(Report report) {
    reports.add(report);
    wake.raise();
  }

  /** Raised when there is something to hear, or another reason to look again. */
  Signal wake() {
    return wake;
  }

  @Nullable Report poll() {
    return reports.poll();
  }

  /** The site has said something that may hold a request back, and it is not heard yet. */
  boolean hasPushback() {
    for (Report report : reports) {
      if (isPushback(report)) {
        return true;
      }
    }
    return false;
  }

  static boolean isPushback(Report report) {
    return report instanceof Answer answer
        && answer.fetched().outcome() instanceof FetchOutcome.Pushback;
  }

  /** Since when something was to be taken back that nobody heard of; empties it. */
  List<Instant> drainTakenBack() {
    List<Instant> late = new ArrayList<>();
    for (Report report = poll(); report != null; report = poll()) {
      if (report instanceof FetchTask.TakenBack(var since)) {
        late.add(since);
      }
    }
    return late;
  }
}
