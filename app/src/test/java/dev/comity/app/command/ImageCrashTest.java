package dev.comity.app.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comity.CrawlSession;
import dev.comity.CrawlSession.ImageCollection;
import dev.comity.app.support.Commands;
import dev.comity.app.support.Site;
import dev.comity.core.engine.Crawl;
import dev.comity.core.engine.CrawlFailed;
import dev.comity.core.engine.SystemTimeline;
import dev.comity.core.engine.plan.CrawlLimits;
import dev.comity.core.engine.plan.CrawlPlan;
import dev.comity.core.outcome.Kind;
import dev.comity.core.policy.DomainPolicy;
import dev.comity.core.policy.settings.PolicySettings;
import dev.comity.core.port.image.ImageMode;
import dev.comity.core.port.queue.ForwardingStore;
import dev.comity.core.port.run.Run;
import dev.comity.core.port.store.Claim;
import dev.comity.core.port.store.CrawlStore;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.port.store.Settlement;
import dev.comity.core.port.store.StoreLimits;
import dev.comity.core.port.store.Written;
import dev.comity.core.scope.Scope;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.Grouping;
import dev.comity.core.url.Seed;
import dev.comity.keep.KeepTerms;
import dev.comity.store.DataDirectory;
import dev.comity.store.sqlite.SqliteStore;
import dev.comity.testkit.wire.Replies;
import dev.comity.web.http.FetchSettings;
import dev.comity.web.http.UserAgent;
import dev.comity.web.net.AddressGuard;
import dev.comity.web.net.Egress;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A crawl that ends after an image's file is written and before the image is settled. */
class ImageCrashTest {
  @TempDir private Path directory;
  private final Site site = Site.open();

  /** A store that fails for the first image that is settled, as if the process had died there. */
  private static final class DiesAtImage extends ForwardingStore {
    DiesAtImage(CrawlStore inner) {
      super(inner);
    }

    @Override
    public Written settle(Claim claim, List<Settlement> settlements) {
      if (settlements.stream().anyMatch(one -> one.entry().kind() == Kind.IMAGE)) {
        throw new IllegalStateException("the process dies here");
      }
      return inner.settle(claim, settlements);
    }
  }

  @AfterEach
  void close() {
    site.close();
  }

  private DataDirectory data() {
    return new DataDirectory(directory.resolve("data"));
  }

  private CrawlSession session() {
    Seed seed = new Seed(CrawlUrl.of(site.url("/")), Optional.empty());
    AddressGuard guard = new AddressGuard(CrawlSession.names(), true);
    guard.named(seed.url().authority());
    PolicySettings policy = PolicySettings.DEFAULTS;
    return new CrawlSession(
        CrawlPlan.of(
            new DomainPolicy(policy.with(policy.pace().withMinimum(Duration.ZERO))),
            Scope.ofSeeds(List.of(seed.url()), Grouping.BY_HOST),
            CrawlLimits.DEFAULTS.withImages(10)),
        List.of(seed.url()),
        List.of(seed),
        new CrawlSession.NetworkAccess(
            new UserAgent("0", Optional.empty()), guard, Egress.DIRECT, FetchSettings.DEFAULT),
        StoreLimits.DEFAULTS,
        false,
        KeepTerms.NOTHING,
        new SystemTimeline(),
        ImageCollection.of(ImageMode.FILES, data(), false));
  }

  private Run begin(CrawlSession session, SqliteStore store) {
    Run run = session.begin(store);
    session.confine(store);
    session.addSeeds(store, List.of(QueuedUrl.seed(CrawlUrl.of(site.url("/")), Optional.empty())));
    return run;
  }

  private List<String> files() throws IOException {
    try (Stream<Path> all = Files.walk(data().path().resolve("images"))) {
      return all.filter(Files::isRegularFile).map(file -> file.getFileName().toString()).toList();
    }
  }

  private String doctor() {
    return Commands.run("doctor", "--data", data().path().toString()).out();
  }

  private static byte[] picture() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    ImageIO.write(new BufferedImage(80, 80, BufferedImage.TYPE_INT_RGB), "png", bytes);
    return bytes.toByteArray();
  }

  @Test
  void the_next_crawl_asks_once_more_and_finds_the_file() throws Exception {
    site.reply("/", Replies.html("<title>Home</title><img src=/a.png>"));
    site.reply("/a.png", Replies.ok("image/png", picture()));
    CrawlSession session = session();
    try (SqliteStore store = SqliteStore.open(data(), session.storeSettings())) {
      Run run = begin(session, store);
      assertThatThrownBy(() -> session.crawl(new DiesAtImage(store), run, List.of(), _ -> {}))
          .isInstanceOf(CrawlFailed.class);
    }
    assertThat(files()).hasSize(1);
    assertThat(doctor()).contains("belongs to no image");
    String file = files().getFirst();

    CrawlSession again = session();
    try (SqliteStore store = SqliteStore.open(data(), again.storeSettings())) {
      Run run = begin(again, store);
      assertThat(run.continued()).isTrue();
      assertThat(run.images()).isZero();
      assertThat(again.crawl(store, run, List.of(), _ -> {})).isEqualTo(new Crawl.End.Finished());
    }
    assertThat(files()).containsExactly(file);
    assertThat(site.asked()).containsExactly("/robots.txt", "/", "/a.png", "/a.png");
    assertThat(doctor()).doesNotContain("WRONG").doesNotContain("belongs to no image");
    assertThat(Commands.run("top-domains", "--data", data().path().toString(), "--json").out())
        .contains("\"images_stored\":1");
  }
}
