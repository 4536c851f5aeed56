package dev.comity.store.postgres;

import dev.comity.core.port.queue.QueueCheckpoint;
import dev.comity.core.port.store.ClaimLost;
import dev.comity.core.port.store.Written;
import dev.comity.store.StoreUnusable;
import dev.comity.store.postgres.FlushPiece.FlushResult;
import dev.comity.store.postgres.connect.WriteLane;
import dev.comity.store.postgres.connect.WriteLane.WorkerLost;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One thread that writes the pieces of all held domains in groups. What gathered while it wrote is
 * the next group. Where many domains are held it waits a little for more: a group of fifty costs
 * the server a quarter of what fifty transactions cost.
 */
final class FlushWriter implements AutoCloseable {
  private static final int MOST = 200;
  private static final int ENOUGH = 50;
  private static final Duration GATHERING = Duration.ofMillis(25);

  /** With fewer held domains there is not enough to wait for. */
  private static final int FEW = 8;

  private record Job(@Nullable FlushPiece piece, CompletableFuture<FlushResult> answer) {}

  private final WriteLane lane;
  private final Supplier<String> worker;
  private final Flush flush;
  private final IntSupplier held;
  private final Runnable lost;
  private final LinkedBlockingQueue<Job> jobs = new LinkedBlockingQueue<>();
  private final Queue<FlushPiece.TakenUrl> taken = new ConcurrentLinkedQueue<>();
  private final Thread thread;
  private volatile boolean closed;

  /**
   * @param held how many domains are held
   * @param lost runs when this worker was given up
   */
  FlushWriter(
      WriteLane lane, Supplier<String> worker, Flush flush, IntSupplier held, Runnable lost) {
    this.lane = lane;
    this.worker = worker;
    this.flush = flush;
    this.held = held;
    this.lost = lost;
    thread = Thread.ofPlatform().daemon().name("comity-flush").start(this::run);
  }

  /**
   * Writes a piece and waits until it is durable.
   *
   * @throws ClaimLost if the claim is no longer held; nothing was written
   */
  Written write(FlushPiece piece) {
    Job job = new Job(piece, new CompletableFuture<>());
    jobs.add(job);
    if (closed) {
      job.answer().completeExceptionally(new StoreUnusable("the store is closed"));
    }
    try {
      FlushResult outcome = job.answer().join();
      if (outcome.lost()) {
        throw new ClaimLost(piece.domain().name, piece.domain().token);
      }
      return outcome.written();
    } catch (CompletionException failed) {
      switch (failed.getCause()) {
        case RuntimeException cause -> throw cause;
        case Error cause -> throw cause;
        case null, default -> throw failed;
      }
    }
  }

  /** Writes a piece with the next group; no caller waits for it. */
  void later(FlushPiece piece) {
    jobs.add(new Job(piece, new CompletableFuture<>()));
  }

  /** Notes soon that a URL was taken. */
  void taken(FlushPiece.TakenUrl one) {
    taken.add(one);
    if (jobs.isEmpty()) {
      jobs.add(new Job(null, new CompletableFuture<>()));
    }
  }

  private void run() {
    while (!closed) {
      try {
        List<Job> group = gathered(jobs.take());
        write(group);
      } catch (InterruptedException _) {
        // It is closed.
      }
    }
  }

  private List<Job> gathered(Job first) throws InterruptedException {
    List<Job> group = new ArrayList<>();
    group.add(first);
    jobs.drainTo(group, MOST - group.size());
    long end = System.nanoTime() + GATHERING.toNanos();
    while (held.getAsInt() > FEW && group.size() < Math.min(ENOUGH, held.getAsInt() / 2)) {
      Job next = jobs.poll(end - System.nanoTime(), TimeUnit.NANOSECONDS);
      if (next == null) {
        break;
      }
      group.add(next);
      jobs.drainTo(group, MOST - group.size());
    }
    return group;
  }

  private void write(List<Job> group) {
    List<FlushPiece.TakenUrl> notes = new ArrayList<>();
    for (FlushPiece.TakenUrl next = taken.poll(); next != null; next = taken.poll()) {
      notes.add(next);
    }
    List<Job> pieces = group.stream().filter(job -> job.piece() != null).toList();
    if (pieces.isEmpty() && notes.isEmpty()) {
      return;
    }
    try {
      answer(pieces, attempt(pieces, notes));
    } catch (WorkerLost _) {
      lost.run();
      pieces.forEach(job -> job.answer().complete(FlushResult.LOST));
    } catch (RuntimeException | Error failed) {
      if (pieces.size() < 2) {
        pieces.forEach(job -> job.answer().completeExceptionally(failed));
        return;
      }
      // One of them cannot be written: each by itself, so that it fails alone.
      pieces.forEach(job -> write(List.of(job)));
    }
  }

  private List<FlushResult> attempt(List<Job> group, List<FlushPiece.TakenUrl> notes) {
    List<FlushPiece> pieces = new ArrayList<>();
    Map<HeldDomain, QueueCheckpoint> queues = new LinkedHashMap<>();
    for (Job job : group) {
      if (job.piece() != null) {
        pieces.add(job.piece());
        if (job.piece().isWaitedFor()) {
          HeldDomain domain = job.piece().domain();
          domain.checkpoint().ifPresent(last -> queues.put(domain, last));
        }
      }
    }
    List<FlushResult> results =
        lane.write(tx -> flush.write(tx, worker.get(), pieces, notes, queues));
    queues.forEach(HeldDomain::kept);
    return results;
  }

  private static void answer(List<Job> group, List<FlushResult> outcomes) {
    for (int i = 0; i < group.size(); i++) {
      group.get(i).answer().complete(outcomes.get(i));
    }
  }

  @Override
  public void close() {
    closed = true;
    thread.interrupt();
    try {
      thread.join();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
    List<Job> rest = new ArrayList<>();
    jobs.drainTo(rest);
    rest.forEach(
        job -> job.answer().completeExceptionally(new StoreUnusable("the store is closed")));
  }
}
