package dev.comity.app.output;

import dev.comity.core.port.CrawlListener;
import dev.comity.core.port.store.Settlement;
import dev.comity.core.url.DomainName;
import dev.comity.store.report.PageFeed;
import dev.comity.store.report.PageRecord;
import java.io.IOException;
import java.io.Writer;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Writes the pages of a run as lines, from the store and in its order: so after any number of ends,
 * orderly or not, every settled page is there once.
 *
 * <p>One thread reads what is new and writes it, many pages at a time when they come fast. The
 * worker that settled a page waits until its line is written: a full disk or a closed pipe is
 * noticed before the next request.
 */
public final class PageExport implements CrawlListener, AutoCloseable {
  private static final int BATCH = 200;

  private final PageFeed feed;
  private final Writer out;
  private final Thread thread;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition wanted = lock.newCondition();
  private final Condition written = lock.newCondition();
  private long last;
  private long wishes;
  private long granted;
  private boolean closing;
  private @Nullable RuntimeException failure;

  /**
   * @param last the number of the last page that is already written
   */
  public PageExport(PageFeed feed, Writer out, long last) {
    this.feed = feed;
    this.out = out;
    this.last = last;
    // What an earlier process settled and did not come to write.
    wishes = 1;
    thread = Thread.ofPlatform().name("page export").start(this::work);
  }

  @Override
  public void settled(DomainName domain, Settlement settlement) {
    if (!settlement.isPage()) {
      return;
    }
    lock.lock();
    try {
      long mine = ++wishes;
      wanted.signal();
      while (granted < mine && failure == null) {
        // A crawl that hurries to its end has settled this page all the same.
        written.awaitUninterruptibly();
      }
      if (failure != null) {
        throw failure;
      }
    } finally {
      lock.unlock();
    }
  }

  private void work() {
    while (true) {
      long upTo;
      lock.lock();
      try {
        while (granted == wishes && !closing) {
          wanted.awaitUninterruptibly();
        }
        if (granted == wishes) {
          return;
        }
        upTo = wishes;
      } finally {
        lock.unlock();
      }
      RuntimeException failed = attempt();
      lock.lock();
      try {
        granted = upTo;
        failure = failed;
        written.signalAll();
      } finally {
        lock.unlock();
      }
      if (failed != null) {
        return;
      }
    }
  }

  private @Nullable RuntimeException attempt() {
    try {
      writeNew();
      return null;
    } catch (IOException failed) {
      return PageLines.cannotGoOn(failed);
    } catch (RuntimeException failed) {
      return failed;
    } catch (Error broken) {
      // A thread that ends without a word would hold the crawl up for ever.
      return new IllegalStateException("the pages cannot be written: " + broken, broken);
    }
  }

  private void writeNew() throws IOException {
    List<PageRecord> pages = feed.after(last, BATCH);
    while (!pages.isEmpty()) {
      for (PageRecord page : pages) {
        out.write(PageLine.of(page));
        out.write('\n');
      }
      out.flush();
      last = pages.getLast().id();
      pages = feed.after(last, BATCH);
    }
  }

  /** Writes what is left. */
  @Override
  public void close() {
    lock.lock();
    try {
      closing = true;
      wishes++;
      wanted.signal();
    } finally {
      lock.unlock();
    }
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException _) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    if (failure != null) {
      throw failure;
    }
  }
}
