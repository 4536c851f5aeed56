package dev.comity.store.sqlite;

import static dev.comity.store.support.Stores.NOON;
import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.port.store.Claim;
import dev.comity.core.port.store.Frontier.Next;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.url.CrawlUrl;
import dev.comity.store.DataDirectory;
import dev.comity.store.support.Stores;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A key finds a URL and the text decides: with keys as bad as can be, not one URL is lost. */
class CollidingKeysTest {
  @TempDir private Path home;

  private SqliteStore storeWithKeys(int different) {
    return Stores.begun(
        SqliteStore.open(
            new DataDirectory(home),
            Stores.SETTINGS,
            () -> url -> Math.floorMod(url.hashCode(), different)));
  }

  private static List<QueuedUrl> urls(int from, int to) {
    List<QueuedUrl> urls = new ArrayList<>();
    for (int i = from; i < to; i++) {
      urls.add(QueuedUrl.seed(CrawlUrl.of("http://a.example/" + i), Optional.empty()));
    }
    return urls;
  }

  @Test
  void every_url_enters_once_though_all_keys_are_the_same() {
    try (SqliteStore store = storeWithKeys(1)) {
      assertThat(store.add(urls(0, 40), NOON)).isEqualTo(40);
      assertThat(store.add(urls(20, 60), NOON)).isEqualTo(20);
      assertThat(store.add(urls(0, 60), NOON)).isZero();
      assertThat(drain(store)).hasSize(60);
    }
  }

  @Test
  void every_url_enters_once_though_some_keys_are_the_same() {
    try (SqliteStore store = storeWithKeys(300)) {
      assertThat(store.add(urls(0, 500), NOON)).isEqualTo(500);
    }
    // Reopened, so that no hint is left of what is known.
    try (SqliteStore store = storeWithKeys(300)) {
      assertThat(store.add(urls(250, 1000), NOON)).isEqualTo(500);
      assertThat(drain(store)).hasSize(1000);
    }
  }

  @Test
  void the_same_path_at_another_authority_is_another_url() {
    try (SqliteStore store = storeWithKeys(1)) {
      assertThat(
              store.add(
                  Stores.seeds("http://a.example/", "https://a.example/", "https://www.a.example/"),
                  NOON))
          .isEqualTo(3);
      assertThat(drain(store)).hasSize(3);
    }
  }

  private static Set<String> drain(SqliteStore store) {
    Claim claim = store.claim(1, NOON).getFirst();
    Set<String> taken = new HashSet<>();
    while (store.frontier().next(claim, NOON) instanceof Next.Ready(var entry)) {
      assertThat(taken.add(entry.url().toString())).isTrue();
    }
    return taken;
  }
}
