package dev.comity.testkit.engine.support;

import dev.comity.core.outcome.Fetched;
import dev.comity.core.port.fetch.Fetcher;
import dev.comity.core.port.store.Claim;
import dev.comity.core.port.store.Renewal;
import dev.comity.core.url.Authority;
import dev.comity.core.url.CrawlUrl;
import dev.comity.testkit.engine.support.DoorwayStore.Door;
import dev.comity.testkit.engine.support.DoorwayStore.Keeper;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * A process that can be killed: from then on it reaches neither its store nor the web. Its threads
 * still have to be ended, as they would not be by themselves.
 */
public final class Mortal implements Keeper, Fetcher {
  private final Keeper keeper;
  private final Fetcher web;
  private boolean dead;

  public Mortal(Keeper keeper, Fetcher web) {
    this.keeper = keeper;
    this.web = web;
  }

  /** What a dead process runs into. */
  public static final class Dead extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  public void kill() {
    dead = true;
  }

  public boolean isDead() {
    return dead;
  }

  @Override
  public void before(Door door, Optional<Claim> claim) {
    live();
    keeper.before(door, claim);
    // It may have died while the call was on its way.
    live();
  }

  private void live() {
    if (dead) {
      throw new Dead();
    }
  }

  /** What came through is durable and was heard of, dead or not. */
  @Override
  public void after(Door door, Optional<Claim> claim) {
    keeper.after(door, claim);
  }

  @Override
  public void granted(List<Claim> claims) {
    keeper.granted(claims);
  }

  @Override
  public void renewed(Collection<Claim> claims, Renewal renewal) {
    keeper.renewed(claims, renewal);
  }

  @Override
  public Fetched fetch(CrawlUrl url, Want want, Duration firstByte, Departure departure)
      throws InterruptedException {
    return web.fetch(
        url,
        want,
        firstByte,
        new Departure() {
          @Override
          public boolean start() {
            return !dead && departure.start();
          }

          @Override
          public void started() {
            departure.started();
          }

          @Override
          public void reserve(long length) throws InterruptedException {
            departure.reserve(length);
          }
        });
  }

  @Override
  public String address(Authority authority) throws InterruptedException {
    return web.address(authority);
  }

  @Override
  public boolean reaches(Authority authority) throws InterruptedException {
    return web.reaches(authority);
  }
}
