package dev.comity.app.chaos;

import dev.comity.store.postgres.connect.PostgresDatabase;
import dev.comity.testkit.postgres.LossyProxy;
import dev.comity.testkit.postgres.PostgresNode;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * The database of a chaos run: a server, its synchronous standby where one is wanted, and a proxy
 * for each worker.
 */
final class ChaosDatabase implements AutoCloseable {
  private static final String NAME = "comity";

  /** What a client hears from a server without room for data, where no disk can be filled. */
  private static final String FULL =
      """
      CREATE OR REPLACE FUNCTION chaos_full() RETURNS TRIGGER LANGUAGE plpgsql AS $$
      BEGIN
        RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = '53100';
      END $$;
      CREATE OR REPLACE TRIGGER chaos_full BEFORE INSERT ON crawl_log
        FOR EACH STATEMENT EXECUTE FUNCTION chaos_full();
      """;

  private final boolean hasStandby;
  private final List<LossyProxy> proxies = new ArrayList<>();
  private final List<PostgresNode> nodes = new ArrayList<>();

  private ChaosDatabase(boolean hasStandby) {
    this.hasStandby = hasStandby;
  }

  static ChaosDatabase start(int workers, boolean hasStandby) throws IOException, SQLException {
    ChaosDatabase database = new ChaosDatabase(hasStandby);
    database.nodes.add(PostgresNode.fillable());
    database.run("postgres", "CREATE DATABASE " + NAME);
    PostgresDatabase.at(database.url()).migrate();
    HistoryReader.watch(database.url());
    for (int worker = 0; worker < workers; worker++) {
      database.proxies.add(LossyProxy.to(database.url()));
    }
    if (hasStandby) {
      database.follow();
    }
    return database;
  }

  private PostgresNode primary() {
    return nodes.getFirst();
  }

  /** The address that no fault is on the way to. */
  String url() {
    return primary().url(NAME);
  }

  /** The address for this worker. */
  String url(int worker) {
    return "postgresql://comity@127.0.0.1:" + proxies.get(worker).port() + "/" + NAME;
  }

  LossyProxy proxy(int worker) {
    return proxies.get(worker);
  }

  private void run(String database, String sql) throws SQLException {
    try (Connection connection = DriverManager.getConnection(primary().url(database));
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  /** Gives the primary a standby, which every commit waits for. */
  private void follow() throws SQLException {
    nodes.add(PostgresNode.standbyOf(primary()));
    run(NAME, "ALTER SYSTEM SET synchronous_standby_names = 'standby'");
    run(NAME, "SELECT pg_reload_conf()");
  }

  void crash() {
    primary().crash();
    primary().start();
  }

  void stop() {
    primary().stop();
  }

  void start() {
    primary().start();
  }

  /** The primary is gone for good; the standby takes its place and gets one of its own. */
  void promote() throws SQLException {
    if (!hasStandby) {
      throw new IllegalStateException("there is no standby");
    }
    PostgresNode lost = nodes.removeFirst();
    lost.crash();
    run(NAME, "SELECT 1");
    primary().promote();
    // It waits for no standby before there is one.
    run(NAME, "ALTER SYSTEM SET synchronous_standby_names = ''");
    run(NAME, "SELECT pg_reload_conf()");
    proxies.forEach(proxy -> proxy.lead(primary().port()));
    lost.close();
    follow();
  }

  /** No group can be written any more, or again. */
  void full(boolean isFull) throws SQLException {
    if (!PostgresNode.canFill()) {
      run(NAME, isFull ? FULL : "DROP TRIGGER chaos_full ON crawl_log");
    } else if (isFull) {
      primary().fill();
      requireFull();
    } else {
      primary().free();
    }
  }

  private void requireFull() {
    try {
      run(
          NAME,
          "CREATE TABLE chaos_more AS SELECT repeat('x', 1000) FROM generate_series(1, 50000)");
    } catch (SQLException _) {
      // It has no room, or has ended for want of it.
      return;
    }
    throw new IllegalStateException("the server's disk has room though it was filled");
  }

  @Override
  public void close() {
    proxies.forEach(LossyProxy::close);
    nodes.forEach(PostgresNode::close);
  }
}
