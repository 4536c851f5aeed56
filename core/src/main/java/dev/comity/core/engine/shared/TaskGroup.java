package dev.comity.core.engine.shared;

import dev.comity.core.port.Signal;
import dev.comity.core.port.Timeline;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Tasks that end before their group does. Closing waits for all of them; {@link #interrupt} hurries
 * them.
 *
 * <p>A task that throws hands the failure to the group's owner instead of dying unseen.
 */
public final class TaskGroup {
  private final Timeline time;
  private final Consumer<Throwable> failed;
  private final Runnable ended;
  private final Set<Thread> running = new LinkedHashSet<>();
  private final Signal oneEnded = new Signal();

  /**
   * @param failed told what a task threw
   * @param ended told when a task no longer counts
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
   * Waits for every task, however long that takes. An interrupt does not end the wait, for a task
   * left alone would go on in nobody's name; answers whether there was one.
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
