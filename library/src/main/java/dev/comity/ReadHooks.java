package dev.comity;

import dev.comity.core.engine.CrawlFailed;
import dev.comity.core.outcome.FetchOutcome.Success;
import dev.comity.core.outcome.Headers;
import dev.comity.core.port.LinkFilter;
import dev.comity.core.port.fetch.LinkExtractor;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.usage.Wishes;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The user's hooks that change which URLs are asked. They are called one at a time, before the page
 * is settled. One that throws ends the crawl.
 */
public final class ReadHooks {
  /** No hooks. */
  public static final ReadHooks NONE = new ReadHooks(Optional.empty(), Optional.empty(), () -> {});

  private final Optional<Consumer<ReadPage>> read;
  private final Optional<Predicate<Link>> follow;
  private final Runnable stop;
  private final ReentrantLock one = new ReentrantLock();
  private final AtomicReference<@Nullable RuntimeException> failure = new AtomicReference<>();

  /**
   * @param stop stops the crawl when a hook throws
   */
  ReadHooks(Optional<Consumer<ReadPage>> read, Optional<Predicate<Link>> follow, Runnable stop) {
    this.read = read;
    this.follow = follow;
    this.stop = stop;
  }

  /** The reader, with the hook behind it. */
  LinkExtractor after(LinkExtractor reader) {
    return read.isEmpty()
        ? reader
        : new LinkExtractor() {
          @Override
          public Extraction extract(CrawlUrl url, Success page) {
            return hooked(reader.extract(url, page), url, page);
          }

          @Override
          public Wishes wishes(Headers headers) {
            return reader.wishes(headers);
          }
        };
  }

  private LinkExtractor.Extraction hooked(
      LinkExtractor.Extraction extraction, CrawlUrl url, Success page) {
    ReadPage draft = new ReadPage(url, page, extraction);
    one.lock();
    try {
      read.ifPresent(hook -> hook.accept(draft));
      return draft.read();
    } catch (RuntimeException thrown) {
      failed(thrown);
      return extraction;
    } finally {
      one.unlock();
    }
  }

  /** Which links are followed; empty if all are. */
  Optional<LinkFilter> filter() {
    return follow.map(wanted -> (from, to, depth) -> follows(wanted, new Link(from, to, depth)));
  }

  private boolean follows(Predicate<Link> wanted, Link link) {
    one.lock();
    try {
      return wanted.test(link);
    } catch (RuntimeException thrown) {
      failed(thrown);
      return false;
    } finally {
      one.unlock();
    }
  }

  private void failed(RuntimeException thrown) {
    if (failure.compareAndSet(null, thrown)) {
      stop.run();
    }
  }

  /** Throws what the first hook that failed has thrown. */
  void requireSound() {
    RuntimeException thrown = failure.get();
    if (thrown != null) {
      throw new CrawlFailed(thrown);
    }
  }
}
