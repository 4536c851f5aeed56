package dev.comity.store.redis;

import dev.comity.core.util.Printable;
import dev.comity.store.StoreUnusable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.commons.pool2.impl.GenericObjectPoolConfig;
import redis.clients.jedis.Connection;
import redis.clients.jedis.DefaultJedisClientConfig;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.RedisClient;
import redis.clients.jedis.RedisClusterClient;
import redis.clients.jedis.SslOptions;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.exceptions.JedisAccessControlException;
import redis.clients.jedis.exceptions.JedisException;

/**
 * The connections to one Redis, or to a cluster. While Redis is away, calls wait and are repeated;
 * the first of them says so. Thread-safe.
 */
public final class RedisLink implements AutoCloseable {
  private static final int CONNECTIONS = 16;

  private static final Duration TIMEOUT = Duration.ofSeconds(5);
  private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

  private final RedisAddress address;
  private final UnifiedJedis client;
  private final Consumer<String> trouble;
  private final AtomicBoolean troubled = new AtomicBoolean();
  private final Semaphore connections = new Semaphore(CONNECTIONS);
  private volatile boolean hurried;

  private RedisLink(RedisAddress address, UnifiedJedis client, Consumer<String> trouble) {
    this.address = address;
    this.client = client;
    this.trouble = trouble;
  }

  /**
   * Connects.
   *
   * @param trouble hears why Redis does not answer, and an empty text when it does again
   * @throws StoreUnusable if it does not answer now
   */
  public static RedisLink connect(RedisAddress address, Consumer<String> trouble) {
    return connect(address, trouble, TIMEOUT);
  }

  /** Connects; a call that is not answered in time is repeated. */
  static RedisLink connect(RedisAddress address, Consumer<String> trouble, Duration timeout) {
    DefaultJedisClientConfig.Builder config =
        DefaultJedisClientConfig.builder()
            .connectionTimeoutMillis((int) timeout.toMillis())
            .socketTimeoutMillis((int) timeout.toMillis())
            .resp2()
            .clientName("comity");
    if (address.tls()) {
      config.sslOptions(SslOptions.defaults());
    }
    address.user().ifPresent(config::user);
    address.password().ifPresent(config::password);
    GenericObjectPoolConfig<Connection> pool = new GenericObjectPoolConfig<>();
    pool.setMaxTotal(CONNECTIONS);
    pool.setMaxIdle(CONNECTIONS);
    pool.setJmxEnabled(false);
    try {
      RedisClient one =
          RedisClient.builder()
              .hostAndPort(address.hosts().getFirst())
              .clientConfig(config.database(address.database()).build())
              .poolConfig(pool)
              .build();
      if (!one.info("cluster").contains("cluster_enabled:1")) {
        return new RedisLink(address, one, trouble);
      }
      one.close();
      return new RedisLink(
          address,
          RedisClusterClient.builder()
              .nodes(new LinkedHashSet<>(address.hosts()))
              .clientConfig(config.build())
              .poolConfig(pool)
              .maxAttempts(3)
              .build(),
          trouble);
    } catch (JedisException failed) {
      throw unusable(address, failed);
    }
  }

  /** The server, without a password. */
  public RedisAddress address() {
    return address;
  }

  /** A call that fails while Redis is away fails at once from now on. */
  public void hurry() {
    hurried = true;
  }

  /**
   * Calls Redis, and repeats the call until Redis answers.
   *
   * @throws StoreUnusable if Redis refuses the call itself, or the wait was ended
   */
  public <T> T ask(Function<UnifiedJedis, T> call) {
    Duration pause = FIRST_PAUSE;
    while (true) {
      try {
        T answer = connected(call);
        if (troubled.compareAndSet(true, false)) {
          trouble.accept("");
        }
        return answer;
      } catch (JedisException failed) {
        if (hurried || !mayPass(failed)) {
          throw unusable(address, failed);
        }
        // A connection that broke while it was idle fails once.
        if (pause.compareTo(FIRST_PAUSE) > 0 && troubled.compareAndSet(false, true)) {
          trouble.accept(String.valueOf(unusable(address, failed).getMessage()));
        }
        LockSupport.parkNanos(pause.toNanos());
        if (Thread.interrupted()) {
          Thread.currentThread().interrupt();
          throw unusable(address, failed);
        }
        pause =
            pause.multipliedBy(2).compareTo(LONGEST_PAUSE) > 0
                ? LONGEST_PAUSE
                : pause.multipliedBy(2);
      }
    }
  }

  /**
   * Calls with one of the connections. The pool must never be asked for more than it has: it spins
   * while another thread connects, and two spinning virtual threads stop all others on two cores.
   */
  private <T> T connected(Function<UnifiedJedis, T> call) {
    connections.acquireUninterruptibly();
    try {
      return call.apply(client);
    } finally {
      connections.release();
    }
  }

  /** Whether the same call may succeed later: a script that is wrong never does. */
  private static boolean mayPass(JedisException failed) {
    String text = String.valueOf(failed.getMessage()).toUpperCase(Locale.ROOT);
    return !(failed instanceof JedisAccessControlException)
        && !text.startsWith("ERR")
        && !text.startsWith("WRONGTYPE")
        && !text.startsWith("CROSSSLOT")
        && !text.startsWith("NOPERM");
  }

  private static StoreUnusable unusable(RedisAddress address, JedisException failed) {
    Throwable cause = failed;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    return new StoreUnusable(
        "Redis at %s: %s"
            .formatted(
                address.shown(),
                Printable.cut(Printable.text(String.valueOf(cause.getMessage())))));
  }

  /**
   * Refuses a Redis that would drop queues by itself: one that evicts keys, or that forgets them
   * when it is restarted.
   *
   * @throws StoreUnusable if a setting is wrong; it names the setting and the fix
   */
  public void requireDurable() {
    require(
        "memory",
        "maxmemory_policy",
        "noeviction",
        "drops queues when its memory is full",
        "maxmemory-policy noeviction");
    require(
        "persistence", "aof_enabled", "1", "forgets queues when it is restarted", "appendonly yes");
  }

  private void require(String section, String name, String value, String why, String fix) {
    for (String info : infos(section)) {
      if (!info.lines().map(String::strip).toList().contains(name + ":" + value)) {
        throw new StoreUnusable(
            "Redis at %s %s: a frontier needs %s; run CONFIG SET %s, and set it in redis.conf"
                .formatted(address.shown(), why, fix, fix));
      }
    }
  }

  /** What each master says of itself. */
  private List<String> infos(String section) {
    return ask(
        redis -> {
          if (!(redis instanceof RedisClusterClient cluster)) {
            return List.of(redis.info(section));
          }
          List<String> all = new ArrayList<>();
          cluster
              .getClusterNodes()
              .values()
              .forEach(
                  pool -> {
                    try (Connection connection = pool.getResource()) {
                      all.add(new Jedis(connection).info(section));
                    }
                  });
          return all;
        });
  }

  @Override
  public void close() {
    client.close();
  }
}
