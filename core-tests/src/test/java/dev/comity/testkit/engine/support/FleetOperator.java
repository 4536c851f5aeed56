package dev.comity.testkit.engine.support;

import dev.comity.core.port.Signal;
import dev.comity.core.port.store.Operations;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.DomainName;
import dev.comity.testkit.time.VirtualTimeline;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * An operator beside several workers: it pauses domains for a while, slows them down for good, and
 * ends the claims of a worker. Every domain that it pauses is resumed within a minute and a half.
 */
final class FleetOperator {
  private static final int MOST_DEEDS = 6;

  private final SplittableRandom random;
  private final int sites;
  private final Operations operations;
  private final VirtualTimeline time;
  private final FleetJudge judge;

  FleetOperator(
      long seed, int sites, Operations operations, VirtualTimeline time, FleetJudge judge) {
    random = new SplittableRandom(seed ^ 0x0FE2A70L);
    this.sites = sites;
    this.operations = operations;
    this.time = time;
    this.judge = judge;
  }

  void start() {
    int deeds = random.nextInt(1, MOST_DEEDS + 1);
    for (int deed = 0; deed < deeds; deed++) {
      DomainName domain = CrawlUrl.of(RandomWeb.host(random.nextInt(sites)) + "/").domain();
      long after = random.nextLong(60_000);
      long lasts = random.nextLong(1, 30_000);
      int kind = random.nextInt(3);
      time.start(
          "operator",
          () -> {
            pass(after);
            switch (kind) {
              case 0 -> {
                operations.setTerms(domain, terms -> terms.withPaused(true));
                pass(lasts);
                operations.setTerms(domain, terms -> terms.withPaused(false));
              }
              case 1 ->
                  // Only ever longer: the judge goes by what is stored, which may lag behind.
                  operations.setTerms(
                      domain,
                      terms ->
                          terms.withMinimum(
                              Optional.of(
                                  terms
                                      .minimum()
                                      .orElse(Duration.ofSeconds(1))
                                      .plusMillis(lasts / 10))));
              default -> endClaimsOfOne();
            }
          });
    }
  }

  private void endClaimsOfOne() {
    List<Operations.LiveClaim> claims = operations.claims();
    if (!claims.isEmpty()) {
      judge.ended(operations.endClaims(claims.getFirst().worker()));
    }
  }

  private void pass(long millis) {
    try {
      time.await(new Signal(), time.instant().plusMillis(millis));
    } catch (InterruptedException unexpected) {
      throw new AssertionError(unexpected);
    }
  }
}
