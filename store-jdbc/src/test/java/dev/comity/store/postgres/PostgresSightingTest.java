package dev.comity.store.postgres;

import static dev.comity.store.postgres.ServerStores.NOON;
import static dev.comity.store.postgres.ServerStores.run;
import static dev.comity.store.postgres.ServerStores.take;
import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.outcome.Body;
import dev.comity.core.port.fetch.ImageRef;
import dev.comity.core.port.fetch.ImageSighting;
import dev.comity.core.port.image.ImageFacts;
import dev.comity.core.port.image.ImageMode;
import dev.comity.core.port.run.RunTerms;
import dev.comity.core.port.run.Wanted;
import dev.comity.core.port.store.Claim;
import dev.comity.core.port.store.Frontier.Next;
import dev.comity.core.port.store.ImageFinds;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.port.store.Settlement;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.DomainName;
import dev.comity.core.usage.Wishes;
import dev.comity.store.support.Stores;
import java.sql.Connection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A page that shows an image and the image itself, written by two workers. */
class PostgresSightingTest {
  private static final RunTerms TERMS = Stores.TERMS.collecting(ImageMode.METADATA, 100);
  private static final CrawlUrl OAK = CrawlUrl.of("http://cdn.example/oak.png");

  private final ServerStores server = new ServerStores();

  @AfterEach
  void close() throws Exception {
    server.close();
  }

  private static Settlement with(Settlement asked, ImageFinds images) {
    return new Settlement(
        asked.entry(),
        asked.attempt(),
        asked.fetched(),
        asked.fate(),
        asked.state(),
        asked.found(),
        asked.page(),
        List.of(),
        images);
  }

  private static Settlement showing(QueuedUrl page, Claim claim) {
    ImageSighting sighting =
        new ImageSighting(
            OAK,
            ImageRef.Source.IMG,
            "",
            "an oak",
            "",
            "",
            "",
            "",
            OptionalInt.empty(),
            OptionalInt.empty(),
            Optional.empty(),
            Optional.empty(),
            "",
            "");
    return with(
        Stores.page(page, claim, page.image(OAK)),
        new ImageFinds(1, List.of(sighting), Optional.empty()));
  }

  private static Settlement taken(QueuedUrl image, Claim claim) {
    return with(
        Stores.page(image, claim),
        ImageFinds.taken(
            new ImageFacts(
                Body.of(new byte[32]),
                "image/png",
                "png",
                9,
                OptionalInt.of(64),
                OptionalInt.of(64),
                OptionalLong.empty(),
                Wishes.NONE,
                false)));
  }

  /** Both are written at once; which of them waits in the middle for the test is given. */
  @ParameterizedTest
  @ValueSource(strings = {"provenance", "images"})
  void a_sighting_gets_its_image_whichever_worker_writes_first(String table) throws Exception {
    PostgresStore pages = server.store("pages", TERMS);
    PostgresStore images = server.store("images", TERMS);
    pages.add(Stores.seeds("http://a.example/"), NOON);
    Claim site = pages.claim(1, NOON).getFirst();
    QueuedUrl page = take(pages, site);
    images.add(List.of(QueuedUrl.seedImage(OAK).image(OAK)), NOON);
    Claim cdn = images.claim(1, NOON).getFirst();
    QueuedUrl image =
        images.frontier().next(cdn, NOON, Wanted.IMAGES) instanceof Next.Ready(var entry)
            ? entry
            : org.junit.jupiter.api.Assertions.fail("no image is ready");
    Connection test = server.connection();
    run(
        test,
        """
        CREATE FUNCTION wait_here() RETURNS TRIGGER LANGUAGE plpgsql AS
          $$ BEGIN PERFORM pg_advisory_xact_lock(42); RETURN NEW; END $$;
        CREATE TRIGGER waiting BEFORE INSERT ON %s FOR EACH ROW EXECUTE FUNCTION wait_here();
        """
            .formatted(table));
    test.commit();
    run(test, "SELECT pg_advisory_lock(42)");
    test.commit();
    boolean pageFirst = table.equals("provenance");
    CompletableFuture<Object> first =
        CompletableFuture.supplyAsync(
            () ->
                pageFirst
                    ? pages.settle(site, showing(page, site))
                    : images.settle(cdn, taken(image, cdn)));
    server.awaitLocks(1, first);
    CompletableFuture<Object> second =
        CompletableFuture.supplyAsync(
            () ->
                pageFirst
                    ? images.settle(cdn, taken(image, cdn))
                    : pages.settle(site, showing(page, site)));
    server.awaitLocks(2, second);
    run(test, "SELECT pg_advisory_unlock(42)");
    test.commit();
    CompletableFuture.allOf(first, second).join();
    run(test, "DROP FUNCTION wait_here() CASCADE");
    test.commit();
    assertThat(
            server.number(
                "SELECT count(*) FROM provenance WHERE image_id IS NOT NULL"
                    + " AND source_domain = 'a.example'"))
        .isEqualTo(1);
    assertThat(
            server.number(
                "SELECT sum(c.images_stored) FROM credits c JOIN domains d"
                    + " ON d.id = c.domain_id WHERE d.domain = 'a.example'"))
        .isEqualTo(1);
  }

  /** The run has one domain; its images lie on another, which has pages of an earlier run. */
  @Test
  void a_host_outside_of_the_run_is_claimed_for_its_images_alone() throws Exception {
    PostgresStore store = server.store("one", TERMS);
    store.add(Stores.seeds("http://a.example/", "http://cdn.example/page"), NOON);
    store.confine(List.of(new DomainName("a.example")));
    Claim site = store.claim(9, NOON).getFirst();
    assertThat(site.domain().name()).isEqualTo("a.example");
    assertThat(store.claim(9, NOON)).isEmpty();
    store.settle(site, showing(take(store, site), site));
    assertThat(store.claim(9, NOON, Wanted.PAGES)).isEmpty();
    Claim cdn = store.claim(9, NOON).getFirst();
    assertThat(cdn.domain().name()).isEqualTo("cdn.example");
    assertThat(cdn.imagesOnly()).isTrue();
    assertThat(store.frontier().next(cdn, NOON, Wanted.IMAGES))
        .isInstanceOfSatisfying(
            Next.Ready.class, next -> assertThat(next.entry().url()).isEqualTo(OAK));
  }
}
