package dev.comity.testkit.time;

import dev.comity.core.port.Signal;
import dev.comity.core.port.Timeline;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A deterministic {@link Timeline}. Tasks are real threads, but only the one that holds the baton
 * runs; it passes the baton on when it waits or ends. Which of the tasks that could go on does so
 * is drawn from the seed.
 */
public final class VirtualTimeline implements Timeline {
  /** When virtual time begins. */
  public static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  /**
   * A program that still runs then is not going to end: something polls for what will never come.
   */
  private static final Instant HORIZON = START.plus(Duration.ofDays(366));

  /** Nor is one whose tasks have handed on this often, though hardly any time goes by. */
  private static final int MOST_TURNS = 3_000_000;

  private final SplittableRandom random;
  private final List<Task> tasks = new ArrayList<>();
  private volatile Instant now = START;

  /** Only whoever holds the baton counts. */
  private int turns;

  private volatile @Nullable Task current;
  private volatile @Nullable AssertionError stuck;
  private volatile @Nullable Thread mainThread;

  public VirtualTimeline(long seed) {
    random = new SplittableRandom(seed);
  }

  private static final class Task {
    final String name;
    private volatile @Nullable Thread thread;
    private @Nullable Signal signal;
    private Instant until = Instant.MIN;
    private volatile boolean interrupted;

    Task(String name) {
      this.name = name;
    }

    boolean isInterrupted() {
      Thread own = thread;
      // In this order: the thread sets the one before it clears the other.
      return (own != null && own.isInterrupted()) || interrupted;
    }

    boolean canGoOn(Instant now) {
      Signal waitedFor = signal;
      return waitedFor == null || waitedFor.isRaised() || !until.isAfter(now) || isInterrupted();
    }
  }

  /**
   * Runs a test's own code as the first task and returns when it does; nothing it started may be
   * left over.
   */
  public <T> T run(Callable<T> main) {
    FutureTask<T> result = new FutureTask<>(main);
    Thread thread = start("main", result);
    mainThread = thread;
    pass();
    try {
      thread.join();
      AssertionError dead = stuck;
      if (dead != null) {
        throw dead;
      }
      T value = result.get();
      if (!tasks.isEmpty()) {
        throw new AssertionError("left running: " + tasks.stream().map(task -> task.name).toList());
      }
      return value;
    } catch (ExecutionException failed) {
      throw new AssertionError("the simulated program failed at " + now, failed.getCause());
    } catch (InterruptedException interrupted) {
      throw new AssertionError(interrupted);
    }
  }

  @Override
  public Instant instant() {
    return now;
  }

  @Override
  public Instant wall() {
    return now;
  }

  @Override
  public Thread start(String name, Runnable body) {
    Task task = new Task(name);
    Thread thread =
        Thread.ofVirtual()
            .name(name)
            .unstarted(
                () -> {
                  waitForBaton(task);
                  try {
                    body.run();
                  } finally {
                    tasks.remove(task);
                    if (!Thread.currentThread().equals(mainThread)) {
                      pass();
                    }
                  }
                });
    task.thread = thread;
    tasks.add(task);
    thread.start();
    return thread;
  }

  @Override
  public void await(Signal signal, Instant until) throws InterruptedException {
    Task task = running();
    throwIfInterrupted(task);
    task.signal = signal;
    task.until = until;
    pass();
    waitForBaton(task);
    AssertionError dead = stuck;
    if (dead != null) {
      // Not an interrupt, which a program may survive: this history is over.
      throw dead;
    }
    task.signal = null;
    signal.take();
    throwIfInterrupted(task);
  }

  /**
   * An interrupt is either still the thread's or was already noted, as its waking happened to go.
   */
  private static void throwIfInterrupted(Task task) throws InterruptedException {
    boolean still = Thread.interrupted();
    if (still || task.interrupted) {
      task.interrupted = false;
      throw new InterruptedException();
    }
  }

  private Task running() {
    Task task = current;
    if (task == null || !Thread.currentThread().equals(task.thread)) {
      throw new IllegalStateException(
          "only tasks of this timeline may wait in it: " + Thread.currentThread());
    }
    return task;
  }

  private void waitForBaton(Task task) {
    while (current != task) {
      LockSupport.park(this);
      if (Thread.currentThread().isInterrupted()) {
        task.interrupted = true;
        Thread.interrupted();
      }
    }
  }

  /** Hands the baton to one of the tasks that can go on, letting time pass if there is none. */
  private void pass() {
    if (tasks.isEmpty()) {
      return;
    }
    turns++;
    List<Task> able = able();
    if (able.isEmpty()) {
      now = tasks.stream().map(task -> task.until).min(Instant::compareTo).orElseThrow();
      able = able();
    }
    if (now.isAfter(HORIZON) || turns > MOST_TURNS) {
      stuck =
          new AssertionError(
              (turns > MOST_TURNS ? "this never ends, at " : "nothing can happen any more at ")
                  + now
                  + "; waiting: "
                  + tasks.stream().map(task -> task.name).toList());
      // The main task is the one the test waits for: it ends the run with this error.
      able = List.of(tasks.getFirst());
    }
    Task chosen = able.get(random.nextInt(able.size()));
    current = chosen;
    LockSupport.unpark(chosen.thread);
  }

  private List<Task> able() {
    List<Task> able = new ArrayList<>();
    for (Task task : tasks) {
      if (task.canGoOn(now)) {
        able.add(task);
      }
    }
    return able;
  }
}
