package dev.comity.store.operate;

import dev.comity.store.DataDirectory;
import dev.comity.store.KeptStore;
import dev.comity.store.StoreLocation;
import dev.comity.store.support.LiftingCases;
import dev.comity.store.support.Stores;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class LiftingTest extends LiftingCases {
  @TempDir private Path home;

  @Override
  protected KeptStore open() {
    return Stores.open(home);
  }

  @Override
  protected StoreLocation place() {
    return new DataDirectory(home);
  }

  @Override
  protected DomainOperator operator() {
    return new Operator(new DataDirectory(home), "somebody");
  }
}
