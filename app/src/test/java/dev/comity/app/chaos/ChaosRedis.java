package dev.comity.app.chaos;

import dev.comity.testkit.postgres.LossyProxy;
import dev.comity.testkit.redis.RedisServer;
import java.io.IOException;

/** The Redis of a chaos run, and the proxy that all workers reach it by. */
final class ChaosRedis implements AutoCloseable {
  private final RedisServer server = RedisServer.start();
  private final LossyProxy proxy;

  ChaosRedis() throws IOException {
    proxy = LossyProxy.to("jdbc:" + server.url() + "/?");
  }

  String url() {
    return "redis://127.0.0.1:" + proxy.port();
  }

  void restart() {
    server.kill();
    server.startAgain();
  }

  void flush() {
    requireQueues();
    server.tell("FLUSHALL");
  }

  /** The last tenth of its file is gone. */
  void cut() throws IOException {
    requireQueues();
    server.stop();
    server.cutCommands(0.9);
    server.startAgain();
  }

  private void requireQueues() {
    if (server.tell("DBSIZE").equals(":0")) {
      throw new IllegalStateException("Redis has nothing to lose");
    }
  }

  void swallow(boolean all) {
    proxy.swallow(all);
  }

  @Override
  public void close() {
    proxy.close();
    server.close();
  }
}
