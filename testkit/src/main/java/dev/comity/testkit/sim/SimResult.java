package dev.comity.testkit.sim;

import dev.comity.core.policy.DomainPolicy;
import dev.comity.core.policy.SharedBudgets;
import dev.comity.core.policy.lifecycle.Standing;
import dev.comity.core.policy.settings.PolicySettings;
import dev.comity.core.url.DomainName;
import dev.comity.testkit.sim.SimDomain.Neighbours;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What the policy got out of one kind of server.
 *
 * @param allowed what a client that knows the limit would be served, see {@link Oracle}
 * @param oracle the delay of that client when counting begins
 * @param settled what the search for the delay took; empty if none was needed or found
 * @param lost URLs given up because of refusals
 * @param violations starts too close together, or too many in flight
 */
public record SimResult(
    String name,
    double allowed,
    long asked,
    long served,
    long refused,
    Optional<SimTally.Settled> settled,
    Duration delay,
    Duration oracle,
    long lost,
    long violations,
    List<Standing> closings) {

  /** The share of what was allowed that was served. */
  public double share() {
    return served / allowed;
  }

  /** The share of what was asked that was refused. */
  public double refusedShare() {
    return asked == 0 ? 0 : (double) refused / asked;
  }

  /** Runs one shape with one seed. */
  public static SimResult of(SimShape shape, PolicySettings settings, long seed) {
    DomainPolicy policy =
        new DomainPolicy(settings.with(settings.pace().withMinimum(shape.minimum())));
    List<SimServer> servers = shape.crowd().servers(shape.server());
    List<Oracle> oracles = shape.oracles();
    List<SimDomain> domains = new ArrayList<>();
    SharedBudgets budgets = policy.sharedBudgets(_ -> {});
    for (int i = 0; i < servers.size(); i++) {
      Optional<Neighbours> neighbours =
          shape.crowd().known()
              ? Optional.of(new Neighbours(budgets, new DomainName("d" + i + ".test")))
              : Optional.empty();
      SimDomain domain =
          new SimDomain(
              policy, servers.get(i), shape.limits(), Long.MAX_VALUE, Simulation.START, neighbours);
      domain.tally().judgeFrom(Simulation.START.plus(shape.judgedAfter()));
      if (oracles.size() == servers.size()) {
        domain.tally().expect(oracles.get(i).first());
      }
      domains.add(domain);
    }
    new Simulation(domains, shape.network(), seed).run(shape.length());
    return sum(shape, oracles, domains);
  }

  /** Runs one shape with several seeds and keeps the worst: the smallest share. */
  public static SimResult worst(SimShape shape, PolicySettings settings, long first, int seeds) {
    SimResult worst = of(shape, settings, first);
    for (long seed = first + 1; seed < first + seeds; seed++) {
      worst = worst.worse(of(shape, settings, seed));
    }
    return worst;
  }

  /** The worse of two runs in every respect, so that nothing bad hides behind something worse. */
  private SimResult worse(SimResult other) {
    SimResult less = share() <= other.share() ? this : other;
    SimResult more = refusedShare() >= other.refusedShare() ? this : other;
    List<Standing> all = new ArrayList<>(closings);
    all.addAll(other.closings);
    Optional<SimTally.Settled> later =
        settled.isPresent() && other.settled.isPresent()
            ? Optional.of(settled.get().worse(other.settled.get()))
            : Optional.empty();
    // Asked and refused come from one run, served from the other.
    return new SimResult(
        name,
        less.allowed,
        more.asked,
        less.served,
        more.refused,
        later,
        less.delay,
        oracle,
        lost + other.lost,
        violations + other.violations,
        all);
  }

  private static SimResult sum(SimShape shape, List<Oracle> oracles, List<SimDomain> domains) {
    long asked = 0;
    long served = 0;
    long refused = 0;
    long lost = 0;
    long violations = 0;
    List<Standing> closings = new ArrayList<>();
    Optional<SimTally.Settled> settled = Optional.empty();
    Duration delay = Duration.ZERO;
    for (SimDomain domain : domains) {
      SimTally tally = domain.tally();
      asked += tally.asked();
      served += tally.served();
      refused += tally.refused();
      lost += tally.lostToRefusals();
      violations += tally.violations();
      closings.addAll(tally.closings());
      delay = tally.lastDelay();
      settled = tally.settled();
    }
    double allowed =
        oracles.stream().mapToDouble(it -> it.served(shape.judgedAfter(), shape.length())).sum();
    Duration oracle =
        oracles.getFirst().keeps(shape.judgedAfter(), shape.length()).getFirst().delay();
    return new SimResult(
        shape.name(),
        allowed,
        asked,
        served,
        refused,
        settled,
        delay,
        oracle,
        lost,
        violations,
        List.copyOf(closings));
  }
}
