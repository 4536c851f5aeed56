package dev.comity.app.command;

import dev.comity.core.port.queue.QueueCheckpoints;
import dev.comity.core.port.queue.QueueHome;
import dev.comity.core.port.store.CrawlStore;
import dev.comity.store.StoreSettings;
import dev.comity.store.StoreUnusable;
import dev.comity.store.redis.FrontierMove;
import dev.comity.store.redis.RedisAddress;
import dev.comity.store.redis.RedisFrontierStore;
import dev.comity.store.redis.RedisLink;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where the queues of domains are. Without it they are in the store, and Redis is not loaded. */
final class FrontierOption {
  @Option(
      names = "--frontier",
      paramLabel = "URL",
      description =
          "Keep the links that wait in this Redis, redis://host:port/database. It must not evict"
              + " keys, and must keep a file of its commands (appendonly yes).")
  private @Nullable String url;

  /** A store with its queues, to be closed before the store itself. */
  interface OpenFrontier extends AutoCloseable {
    CrawlStore store();

    @Override
    default void close() {}
  }

  /**
   * Opens the queues of a store.
   *
   * @param trouble hears why Redis does not answer, and an empty text when it does again
   * @throws StoreUnusable if they are elsewhere, or Redis cannot be used as it is
   */
  OpenFrontier open(
      CrawlStore store,
      QueueCheckpoints checkpoints,
      StoreSettings settings,
      Consumer<String> trouble) {
    Optional<QueueHome> home = checkpoints.home();
    if (url == null) {
      home.ifPresent(
          there -> {
            throw new StoreUnusable(
                "the queues are in Redis at %s: add --frontier %s, or move them with `comity frontier move --to store`"
                    .formatted(there.address(), there.address()));
          });
      return () -> store;
    }
    return opened(url, store, checkpoints, settings, trouble);
  }

  private static OpenFrontier opened(
      String url,
      CrawlStore store,
      QueueCheckpoints checkpoints,
      StoreSettings settings,
      Consumer<String> trouble) {
    RedisLink link = RedisLink.connect(RedisAddress.parse(url), trouble);
    try {
      link.requireDurable();
      QueueHome there = FrontierMove.home(checkpoints, link);
      CrawlStore queued =
          new RedisFrontierStore(store, checkpoints, settings, link, there.namespace());
      return new OpenFrontier() {
        @Override
        public CrawlStore store() {
          return queued;
        }

        @Override
        public void close() {
          link.close();
        }
      };
    } catch (RuntimeException failed) {
      link.close();
      throw failed;
    }
  }
}
