package dev.comity.store.postgres.connect;

import dev.comity.store.StoreUnusable;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Waits while the server is away. All connections of a store share it, so an outage is said once
 * however many calls wait.
 */
public final class OutageWait {
  private static final Duration LEAST = Duration.ofMillis(200);
  private static final Duration MOST = Duration.ofSeconds(5);

  private final Consumer<String> trouble;
  private final CountDownLatch hurried = new CountDownLatch(1);
  private int waiting;

  /**
   * @param trouble hears what keeps the store from working, and an empty text when that is over
   */
  public OutageWait(Consumer<String> trouble) {
    this.trouble = trouble;
  }

  /** From now on no call waits. */
  public void hurry() {
    hurried.countDown();
  }

  boolean isHurried() {
    return hurried.getCount() == 0;
  }

  /** Whether a later try may succeed: a lost connection, a server that stops or starts, no room. */
  static boolean isOutage(StoreUnusable failure) {
    String state = state(failure);
    return state.startsWith("08")
        || state.startsWith("57P0")
        || state.startsWith("53")
        || state.equals("25P03")
        || state.equals("25006");
  }

  /** Whether other transactions were in the way, so that it can be made again at once. */
  static boolean isConflict(StoreUnusable failure) {
    String state = state(failure);
    return state.equals("40001") || state.equals("40P01");
  }

  /** The server's code of a failure; empty if it has none. */
  static String state(StoreUnusable failure) {
    return failure.getCause() instanceof SQLException sql
        ? Optional.ofNullable(sql.getSQLState()).orElse("")
        : "";
  }

  /** The tries of one call. Closing it ends the call's part in an outage. */
  public final class Tries implements AutoCloseable {
    private Duration wait = LEAST;
    private boolean waited;

    /**
     * Waits before the next try.
     *
     * @throws StoreUnusable the failure itself, if no call is to wait any more
     */
    public void pause(StoreUnusable failure) {
      if (!waited) {
        waited = true;
        begin(failure);
      }
      long most = wait.toMillis();
      try {
        long millis = most / 2 + ThreadLocalRandom.current().nextLong(most / 2 + 1);
        if (hurried.await(millis, TimeUnit.MILLISECONDS)) {
          throw failure;
        }
      } catch (InterruptedException _) {
        Thread.currentThread().interrupt();
        throw failure;
      }
      Duration longer = wait.multipliedBy(2);
      wait = longer.compareTo(MOST) > 0 ? MOST : longer;
    }

    /** Waits, unless no later try may succeed or no call is to wait. */
    public void pauseOrThrow(StoreUnusable failure) {
      if (isHurried() || !isOutage(failure)) {
        throw failure;
      }
      pause(failure);
    }

    @Override
    public void close() {
      if (waited) {
        waited = false;
        end();
      }
    }
  }

  public Tries tries() {
    return new Tries();
  }

  private synchronized void begin(StoreUnusable failure) {
    if (waiting++ == 0) {
      String words = String.valueOf(failure.getMessage());
      trouble.accept(words.endsWith(".") ? words.substring(0, words.length() - 1) : words);
    }
  }

  private synchronized void end() {
    if (--waiting == 0 && !isHurried()) {
      trouble.accept("");
    }
  }
}
