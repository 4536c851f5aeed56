package dev.comity.testkit.redis;

import java.util.ArrayList;
import java.util.List;

/** A Redis cluster of three masters without replicas, for tests. */
public final class RedisCluster implements AutoCloseable {
  private static final int SLOTS = 16_384;

  private final List<RedisServer> servers = new ArrayList<>();

  private RedisCluster() {
    for (int number = 0; number < 3; number++) {
      servers.add(RedisServer.start("--cluster-enabled", "yes"));
    }
    for (int number = 0; number < 3; number++) {
      RedisServer server = servers.get(number);
      List<String> slots = new ArrayList<>(List.of("CLUSTER", "ADDSLOTS"));
      for (int slot = number * SLOTS / 3; slot < (number + 1) * SLOTS / 3; slot++) {
        slots.add("" + slot);
      }
      server.tell("CLUSTER", "SET-CONFIG-EPOCH", "" + (number + 1));
      server.tell(slots.toArray(String[]::new));
      server.tell("CLUSTER", "MEET", "127.0.0.1", "" + servers.getFirst().port());
    }
    servers.forEach(RedisCluster::awaitAll);
  }

  private static void awaitAll(RedisServer server) {
    long end = System.nanoTime() + 60_000_000_000L;
    while (true) {
      String info = server.tell("CLUSTER", "INFO");
      if (info.contains("cluster_state:ok") && info.contains("cluster_known_nodes:3")) {
        return;
      }
      if (System.nanoTime() > end) {
        throw new IllegalStateException("the cluster does not form: " + info);
      }
      Thread.onSpinWait();
    }
  }

  /** Starts one. */
  public static RedisCluster start() {
    return new RedisCluster();
  }

  public String url() {
    return "redis://"
        + String.join(",", servers.stream().map(server -> "127.0.0.1:" + server.port()).toList());
  }

  public List<RedisServer> servers() {
    return List.copyOf(servers);
  }

  @Override
  public void close() {
    servers.forEach(RedisServer::close);
  }
}
