package dev.comity.core.engine.shared;

import dev.comity.core.port.Signal;
import dev.comity.core.port.Timeline;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Consumer;

/**
 * A group of tasks, each in a thread of its own, that all end before their owner does. A failure of
 * a task is handed to the owner. Thread-safe.
 */
public final class TaskGroup {
  private final Timeline time;
  private final Consumer<Throwable> failed;
  private final Runnable ended;
  private final Set<Thread> running = new LinkedHashSet<>();
  private final Signal oneEnded = new Signal();

  /**
   * @param failed receives what a task threw
   * @param ended called when a task has left the group
   */
  public TaskGroup(Timeline time, Consumer<Throwable> failed, Runnable ended) {
    this.time = time;
    this.failed = failed;
    this.ended = ended;
  }

  public void start(String name, Runnable task) {
    synchronized (running) {
      running.add(
          time.start(
              name,
              () -> {
                try {
                  task.run();
                } catch (Throwable failure) {
                  failed.accept(failure);
                } finally {
                  leave(Thread.currentThread());
                }
              }));
    }
  }

  private void leave(Thread task) {
    synchronized (running) {
      running.remove(task);
    }
    oneEnded.raise();
    ended.run();
  }

  public int size() {
    synchronized (running) {
      return running.size();
    }
  }

  public void interrupt() {
    synchronized (running) {
      running.forEach(Thread::interrupt);
    }
  }

  /** Waits for every task, at the latest until the given time; answers whether all have ended. */
  public boolean join(Instant until) throws InterruptedException {
    while (size() > 0 && time.instant().isBefore(until)) {
      time.await(oneEnded, until);
    }
    return size() == 0;
  }

  /**
   * Waits for every task, however long that takes; answers whether this thread was interrupted. An
   * interrupt does not end the wait: a task would go on without an owner.
   */
  public boolean joinAll() {
    boolean interrupted = false;
    while (size() > 0) {
      try {
        time.await(oneEnded);
      } catch (InterruptedException _) {
        interrupted = true;
      }
    }
    return interrupted;
  }
}
