package dev.comity.testkit.contract;

import static dev.comity.testkit.contract.Moves.NOON;
import static dev.comity.testkit.contract.Moves.TERMS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.port.run.Run;
import dev.comity.core.port.run.RunTerms;
import dev.comity.core.port.store.Claim;
import dev.comity.core.port.store.CrawlStore;
import dev.comity.core.port.store.Operations;
import dev.comity.core.port.store.Reports;
import java.time.Duration;

/** Two workers of one run on the same data, by one clock. */
record TwoWorkers(
    Moves one, Moves other, SettableClock clock, Run run, Operations operations, Reports reports) {
  /** Of their claims. */
  static final Duration SHORT = Duration.ofMinutes(5);

  static TwoWorkers of(StoreUnderTest test, String... urls) {
    return of(test, TERMS, urls);
  }

  static TwoWorkers of(StoreUnderTest test, RunTerms terms, String... urls) {
    SettableClock clock = new SettableClock(NOON);
    CrawlStore one = test.store(StoreShape.USUAL.withLease(SHORT), clock);
    CrawlStore other = test.another(one, "other");
    Run run = one.begin(terms, NOON);
    assertThat(other.begin(terms, NOON).id()).isEqualTo(run.id());
    return new TwoWorkers(
        new Moves(one).seeded(urls),
        new Moves(other),
        clock,
        run,
        test.operations(one),
        test.reports(one));
  }

  /** The store of the first worker. */
  CrawlStore store() {
    return one.store();
  }

  /** A claim of the first worker. */
  Claim claim() {
    return one.claimOne(clock.instant());
  }
}
