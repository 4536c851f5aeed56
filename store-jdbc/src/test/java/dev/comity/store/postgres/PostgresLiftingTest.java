package dev.comity.store.postgres;

import dev.comity.core.port.store.StoreLimits;
import dev.comity.store.KeptStore;
import dev.comity.store.ServerDatabase;
import dev.comity.store.StoreLocation;
import dev.comity.store.operate.DomainOperator;
import dev.comity.store.postgres.connect.PostgresDatabase;
import dev.comity.store.support.LiftingCases;
import dev.comity.store.support.Stores;
import org.junit.jupiter.api.AfterEach;

class PostgresLiftingTest extends LiftingCases {
  private final String url = Databases.url();

  @AfterEach
  void giveBack() {
    Databases.giveBack(url);
  }

  private PostgresDatabase database() {
    return PostgresDatabase.at(url).by(() -> Stores.NOON);
  }

  @Override
  protected KeptStore open() {
    PostgresStore store = PostgresStore.open(database(), Stores.SETTINGS);
    store.begin(Stores.TERMS, Stores.NOON);
    return store;
  }

  @Override
  protected StoreLocation place() {
    return ServerDatabase.at(url);
  }

  @Override
  protected DomainOperator operator() {
    return new PostgresOperations(database(), "somebody", StoreLimits.DEFAULTS);
  }
}
