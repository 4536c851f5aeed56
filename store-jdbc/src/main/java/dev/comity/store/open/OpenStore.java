package dev.comity.store.open;

import dev.comity.core.policy.DomainPolicy;
import dev.comity.core.port.source.SourceOperations;
import dev.comity.core.port.store.Operations;
import dev.comity.core.port.store.StoreLimits;
import dev.comity.store.DataDirectory;
import dev.comity.store.KeptStore;
import dev.comity.store.ServerDatabase;
import dev.comity.store.StoreLocation;
import dev.comity.store.StoreSettings;
import dev.comity.store.operate.DirectoryIntake;
import dev.comity.store.operate.DirectoryOperations;
import dev.comity.store.operate.DirectorySources;
import dev.comity.store.operate.DomainOperator;
import dev.comity.store.operate.Intake;
import dev.comity.store.operate.Operator;
import dev.comity.store.postgres.DatabaseIntake;
import dev.comity.store.postgres.PostgresOperations;
import dev.comity.store.postgres.PostgresStore;
import dev.comity.store.postgres.connect.PostgresDatabase;
import dev.comity.store.postgres.rows.PostgresSources;
import dev.comity.store.sql.Schema;
import dev.comity.store.sqlite.SqliteStore;
import java.time.InstantSource;

/** Opens stores by their location. */
public final class OpenStore {
  private OpenStore() {}

  /**
   * The store there, for one crawl. Its tables are made where there are none.
   *
   * @throws dev.comity.store.StoreUnusable if it cannot be used as it is
   * @throws dev.comity.store.DirectoryInUse if another crawl has the data directory
   */
  public static KeptStore at(StoreLocation place, StoreSettings settings) {
    return switch (place) {
      case DataDirectory directory -> SqliteStore.open(directory, settings);
      case ServerDatabase server -> worker(server, settings);
    };
  }

  /** The same for a worker on a server, beside others. */
  public static PostgresStore worker(ServerDatabase server, StoreSettings settings) {
    return PostgresStore.open(PostgresDatabase.at(server), settings);
  }

  /**
   * What operators do there.
   *
   * @param actor the name for the audit
   */
  public static Operations operations(StoreLocation place, String actor) {
    return switch (place) {
      case DataDirectory directory ->
          new DirectoryOperations(directory, actor, InstantSource.system());
      case ServerDatabase server -> {
        Schema.require(server);
        yield new PostgresOperations(PostgresDatabase.at(server), actor, StoreLimits.DEFAULTS);
      }
    };
  }

  /**
   * What operators decide about single domains there.
   *
   * @param policy the rules that a crawl follows there
   */
  public static DomainOperator operator(StoreLocation place, String actor, DomainPolicy policy) {
    return switch (place) {
      case DataDirectory directory -> new Operator(directory, actor, policy);
      case ServerDatabase server -> {
        Schema.require(server);
        yield new PostgresOperations(PostgresDatabase.at(server), actor, StoreLimits.DEFAULTS);
      }
    };
  }

  /**
   * What operators do with the sources there.
   *
   * @param actor the name for the audit
   */
  public static SourceOperations sources(StoreLocation place, String actor) {
    return switch (place) {
      case DataDirectory directory ->
          new DirectorySources(directory, actor, InstantSource.system());
      case ServerDatabase server -> {
        Schema.require(server);
        yield new PostgresSources(PostgresDatabase.at(server), actor);
      }
    };
  }

  /**
   * Takes seeds in there. Tables are made where there are none.
   *
   * @throws dev.comity.store.StoreUnusable if it cannot be used as it is
   */
  public static Intake intake(StoreLocation place, StoreSettings settings) {
    return switch (place) {
      case DataDirectory directory -> DirectoryIntake.open(directory, settings);
      case ServerDatabase server -> DatabaseIntake.open(PostgresDatabase.at(server), settings);
    };
  }

  /**
   * Brings tables of an older program up to date. On a server they are also made.
   *
   * @throws dev.comity.store.DirectoryInUse if a crawl has the data directory
   */
  public static void upgrade(StoreLocation place) {
    switch (place) {
      case DataDirectory directory -> SqliteStore.upgrade(directory);
      case ServerDatabase server -> PostgresDatabase.at(server).migrate();
    }
  }
}
