package dev.comity.testkit.sim;

import dev.comity.core.outcome.Fetched;
import dev.comity.core.policy.Decision;
import dev.comity.core.policy.Turn;
import dev.comity.testkit.sim.SimServer.Reply;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import java.util.function.BiConsumer;

/**
 * The event loop of the simulated web. Three things happen in it: a domain wakes up to take its
 * turn, a request arrives at its server, an answer comes back. Events of the same nanosecond happen
 * in the order they were made, so a seed fixes the whole history.
 */
public final class Simulation {
  /** When every simulation begins: midnight, so that hours of the day are easy to read. */
  public static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private enum What {
    WAKE,
    ARRIVE,
    ANSWER
  }

  private record Event(
      long at,
      long order,
      What what,
      SimDomain domain,
      Optional<SimDomain.Request> request,
      Optional<Reply> reply)
      implements Comparable<Event> {
    @Override
    public int compareTo(Event other) {
      int byTime = Long.compare(at, other.at);
      return byTime != 0 ? byTime : Long.compare(order, other.order);
    }
  }

  private final PriorityQueue<Event> events = new PriorityQueue<>();
  private final List<SimDomain> domains;
  private final Network network;
  private final SplittableRandom random;
  private BiConsumer<SimDomain, Decision> listener = (_, _) -> {};
  private long order;
  private long now;

  public Simulation(List<SimDomain> domains, long seed) {
    this(domains, Network.STEADY, seed);
  }

  public Simulation(List<SimDomain> domains, Network network, long seed) {
    this.domains = List.copyOf(domains);
    this.network = network;
    this.random = new SplittableRandom(seed);
  }

  /** Tells every decision, in order. */
  public Simulation tell(BiConsumer<SimDomain, Decision> to) {
    listener = to;
    return this;
  }

  /** Runs until that time, or until no domain has anything left to do. */
  public void run(Duration length) {
    long end = length.toNanos();
    for (SimDomain domain : domains) {
      wake(domain, now);
    }
    while (!events.isEmpty() && events.peek().at() <= end) {
      Event event = events.remove();
      now = event.at();
      switch (event.what()) {
        case WAKE -> {
          if (event.domain().wakeAt == event.at()) {
            event.domain().wakeAt = Long.MAX_VALUE;
            takeTurns(event.domain());
          }
        }
        case ARRIVE -> arrive(event.domain(), event.request().orElseThrow());
        case ANSWER ->
            answer(event.domain(), event.request().orElseThrow(), event.reply().orElseThrow());
      }
    }
  }

  private void takeTurns(SimDomain domain) {
    while (true) {
      Instant at = START.plusNanos(now);
      switch (domain.turn(at)) {
        case Turn.Fetch(Duration delay) -> {
          SimDomain.Request request = domain.start(delay, at);
          add(network.oneWay(random), What.ARRIVE, domain, Optional.of(request), Optional.empty());
        }
        case Turn.WaitUntil(Instant until, Turn.Why _) -> {
          wake(domain, nanos(until));
          return;
        }
        case Turn.Park(Instant until, Turn.Why _) -> {
          wake(domain, nanos(until));
          return;
        }
        case Turn.WaitForEvent _ -> {
          return;
        }
        case Turn.Stop stop -> {
          stop.standing().until().ifPresent(until -> wake(domain, nanos(until)));
          return;
        }
      }
    }
  }

  private void arrive(SimDomain domain, SimDomain.Request request) {
    Reply reply = domain.server.reply(Duration.ofNanos(now), random);
    long back = making() + reply.think().toNanos() + network.oneWay(random);
    add(back, What.ANSWER, domain, Optional.of(request), Optional.of(reply));
  }

  private void answer(SimDomain domain, SimDomain.Request request, Reply reply) {
    Instant at = START.plusNanos(now);
    Duration took = Duration.between(request.attempt().startedAt(), at);
    Optional<Duration> firstByte =
        reply.outcome().status().isPresent() ? Optional.of(took) : Optional.empty();
    Fetched fetched =
        new Fetched(reply.outcome(), firstByte, took, 0).announcing(reply.announced());
    listener.accept(domain, domain.settle(request, fetched, at));
    wake(domain, now);
  }

  /** What a site takes to make a page: mostly 60 ms, seldom much more. */
  private long making() {
    return (long) (60e6 * Math.exp(0.5 * random.nextGaussian()));
  }

  private void wake(SimDomain domain, long at) {
    long notPast = Math.max(at, now);
    if (notPast < domain.wakeAt) {
      domain.wakeAt = notPast;
      add(notPast - now, What.WAKE, domain, Optional.empty(), Optional.empty());
    }
  }

  private void add(
      long in,
      What what,
      SimDomain domain,
      Optional<SimDomain.Request> request,
      Optional<Reply> reply) {
    events.add(new Event(now + in, order++, what, domain, request, reply));
  }

  private static long nanos(Instant at) {
    return Duration.between(START, at).toNanos();
  }
}
