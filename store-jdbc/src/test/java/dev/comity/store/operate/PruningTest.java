package dev.comity.store.operate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comity.store.DataDirectory;
import dev.comity.store.DirectoryInUse;
import dev.comity.store.support.Planted;
import dev.comity.store.support.PruningContract;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PruningTest implements PruningContract {
  @TempDir private Path home;

  @Override
  public Planted sound() {
    return Planted.sound(home);
  }

  @Test
  void the_only_transition_of_a_domain_never_claimed_stays() {
    Planted store = sound();
    new Operator(store.directory(), "me").block("easy.able.example", "why", Planted.NOW);
    try (Pruning pruning = new Pruning(store.directory(), LATER, false)) {
      pruning.transitions();
    }
    assertThat(store.findings()).isEmpty();
  }

  @Test
  void nobody_compacts_under_a_crawl() {
    Planted store = sound();
    try (Pruning pruning = new Pruning(store.directory(), AT_20, false)) {
      try (DataDirectory.Hold _ = store.directory().hold()) {
        assertThatThrownBy(pruning::compact).isInstanceOf(DirectoryInUse.class);
      }
      store.run("DELETE FROM pages", "DELETE FROM crawl_log");
      long pages = store.number("SELECT page_count FROM pragma_page_count");
      pruning.compact();
      assertThat(store.number("SELECT freelist_count FROM pragma_freelist_count")).isZero();
      assertThat(store.number("SELECT page_count FROM pragma_page_count"))
          .isLessThanOrEqualTo(pages);
    }
  }
}
