package dev.comity.store.order;

import dev.comity.core.url.DomainName;
import dev.comity.store.sql.GroupWriter;
import dev.comity.store.sql.ReaderThread;
import dev.comity.store.sql.Statements;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** Changes the order in which domains are claimed: by priority, or in the order of the seeds. */
public final class ClaimOrder {
  private final Statements writing;
  private final GroupWriter writer;
  private final ReaderThread reader;
  private final Priorities priorities;
  private final String worker;

  /** Scores are still the places that an earlier run gave. */
  private volatile boolean placesLinger;

  public ClaimOrder(
      Statements writing,
      GroupWriter writer,
      ReaderThread reader,
      Priorities priorities,
      String worker) {
    this.writing = writing;
    this.writer = writer;
    this.reader = reader;
    this.priorities = priorities;
    this.worker = worker;
  }

  /** Learns whether an earlier run left its order. Runs in the writer's thread. */
  public void open() {
    placesLinger = Priorities.hasPlaces(writing);
  }

  /** Computes all scores again, a batch at a time. */
  public void recalculate(Instant now) {
    long at = now.toEpochMilli();
    long last = 0;
    while (true) {
      long from = last;
      List<Priorities.Score> scores = reader.read(sql -> priorities.after(sql, from, at));
      if (scores.isEmpty() || Thread.currentThread().isInterrupted()) {
        return;
      }
      writer.run(() -> Priorities.write(writing, scores, at));
      last = scores.getLast().id();
    }
  }

  public void rank(Map<DomainName, Long> ranks, Instant now) {
    writer.run(() -> priorities.rank(writing, ranks, now.toEpochMilli()));
  }

  public void order(List<DomainName> list, Instant now) {
    writer.run(() -> priorities.order(writing, worker, list, now.toEpochMilli()));
  }

  /** Leaves an earlier run's order before a claim; after a kill the next run starts over. */
  public void leaveSeedOrder(Instant now) {
    if (!placesLinger || priorities.isOrdered()) {
      return;
    }
    recalculate(now);
    if (!Thread.currentThread().isInterrupted()) {
      writer.run(() -> Priorities.forgetPlaces(writing));
      placesLinger = false;
    }
  }
}
