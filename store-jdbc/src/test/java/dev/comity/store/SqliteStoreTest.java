package dev.comity.store;

import dev.comity.core.policy.DomainPolicy;
import dev.comity.core.policy.PolicySettings;
import dev.comity.core.port.CrawlStore;
import dev.comity.core.url.Grouping;
import dev.comity.testkit.contract.CrawlStoreContract;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

class SqliteStoreTest implements CrawlStoreContract {
  @TempDir private Path home;
  private @Nullable SqliteStore open;

  @Override
  public CrawlStore emptyStore() {
    open =
        SqliteStore.open(
            new DataDirectory(home),
            StoreSettings.of(
                new DomainPolicy(PolicySettings.DEFAULTS), Grouping.BY_HOST, () -> NOON));
    return open;
  }

  @AfterEach
  void close() {
    if (open != null) {
      open.close();
    }
  }
}
