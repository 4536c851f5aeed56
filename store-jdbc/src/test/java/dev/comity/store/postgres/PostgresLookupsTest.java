package dev.comity.store.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.store.postgres.connect.PostgresDatabase;
import dev.comity.store.support.Stores;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import org.junit.jupiter.api.Test;

class PostgresLookupsTest {

  @Test
  void urls_that_were_set_aside_in_domains_of_the_run_are_counted() throws Exception {
    String url = Databases.url();
    try (PostgresStore store = PostgresStore.open(PostgresDatabase.at(url), Stores.SETTINGS)) {
      store.begin(Stores.TERMS, Stores.NOON);
      assertThat(store.setAside()).isZero();
      store.add(Stores.seeds("http://a.example/", "http://b.example/"), Stores.NOON);
      try (Connection connection = DriverManager.getConnection(url);
          Statement statement = connection.createStatement()) {
        statement.execute("UPDATE domains SET urls_set_aside = 2");
      }
      assertThat(store.setAside()).isEqualTo(4);
    }
    Databases.giveBack(url);
  }
}
