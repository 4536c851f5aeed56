package dev.comity.testkit.engine.support;

import dev.comity.core.memory.MemoryStore;
import dev.comity.core.policy.DomainPolicy;
import dev.comity.core.policy.DomainState;
import dev.comity.core.policy.settings.PolicySettings;
import dev.comity.core.port.Signal;
import dev.comity.core.port.store.Claim;
import dev.comity.core.port.store.ClaimLost;
import dev.comity.core.port.store.Ending;
import dev.comity.core.port.store.Renewal;
import dev.comity.testkit.engine.support.DoorwayStore.Door;
import dev.comity.testkit.engine.support.DoorwayStore.Keeper;
import dev.comity.testkit.time.VirtualTimeline;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/** What goes wrong between the engine and its store: calls take time, and claims are lost. */
public final class Mischief implements Keeper {
  /** A line that is cut for ever lets nobody finish. */
  private static final int MOST_CUTS = 4;

  private final SplittableRandom random;
  private final Circumstances given;
  private final VirtualTimeline time;
  private final MemoryStore memory;
  private final Judge judge;
  private int cuts;

  public Mischief(
      long seed, Circumstances given, VirtualTimeline time, MemoryStore memory, Judge judge) {
    random = new SplittableRandom(seed + 1);
    this.given = given;
    this.time = time;
    this.memory = memory;
    this.judge = judge;
  }

  @Override
  public void before(Door door, Optional<Claim> claim) {
    dawdle();
    if (door == Door.RENEW && given.cutOff() && cuts < MOST_CUTS && random.nextInt(3) == 0) {
      cuts++;
      pass(given.lease().multipliedBy(random.nextInt(5, 15)).dividedBy(10));
    }
    if (given.thieves() && claim.isPresent() && random.nextInt(60) == 0) {
      steal(claim.get());
    }
  }

  @Override
  public void after(Door door, Optional<Claim> claim) {
    claim.ifPresent(held -> judge.claims.wrote(door, held));
    dawdle();
  }

  @Override
  public void granted(List<Claim> claims) {
    claims.forEach(claim -> judge.granted(claim));
  }

  @Override
  public void renewed(Collection<Claim> claims, Renewal renewal) {
    judge.claims.renewed(claims, renewal);
  }

  /** The claim's time is over before its holder knows. Who takes the domain over waits a delay. */
  private void steal(Claim claim) {
    DomainState last = memory.state(claim.domain()).orElseThrow();
    DomainState takenOver =
        new DomainPolicy(PolicySettings.DEFAULTS).startFailed(last, time.instant());
    try {
      memory.release(claim, takenOver, new Ending.Stopped(), Instant.EPOCH);
      judge.stolen.add(claim.domain());
      judge.claims.gaveBack(claim);
    } catch (ClaimLost _) {
      // Once is enough.
    }
  }

  private void dawdle() {
    if (!given.slowStore() || random.nextInt(4) > 0) {
      return;
    }
    int milliseconds = random.nextInt(50) == 0 ? 5000 : random.nextInt(50);
    pass(Duration.ofMillis(milliseconds));
  }

  private void pass(Duration duration) {
    Instant until = time.instant().plus(duration);
    try {
      time.await(new Signal(), until);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
