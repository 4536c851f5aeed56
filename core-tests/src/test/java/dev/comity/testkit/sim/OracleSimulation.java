package dev.comity.testkit.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.outcome.FetchOutcome.RateLimited;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * What the policy is compared with can really be had, and is the most that can be had. The clients
 * here take nothing from {@link Oracle} but the delay of each hour.
 */
class OracleSimulation {
  private static final List<Client> CLIENTS = clients();

  @Test
  void the_pace_that_it_states_is_served_and_refused_once_in_a_thousand() {
    for (Client client : CLIENTS) {
      Got got = client.ask(1, Duration.ZERO);
      double byLimit = client.stated * (1 - client.noise);
      assertThat(got.served / byLimit).as(client.name).isBetween(0.997, 1.003);
      // By chance one and a half; noise by chance a tenth more than it is.
      assertThat(got.refusedShare())
          .as(client.name)
          .isLessThanOrEqualTo(0.0015 + 1.1 * client.noise);
    }
  }

  @Test
  void four_percent_faster_is_refused_more_than_any_row_of_the_table_allows() {
    for (Client client : CLIENTS) {
      if (client.limited) {
        assertThat(client.ask(0.96, Duration.ZERO).refusedShare())
            .as(client.name)
            .isGreaterThan(0.005 + 1.1 * client.noise);
      }
    }
  }

  @Test
  void no_client_that_may_be_refused_so_often_and_rests_is_served_half_a_percent_more() {
    Duration restAndAnswer = Duration.ofMillis(2_100);
    for (Client client : CLIENTS) {
      // What is set is never asked faster than.
      for (int percent = client.limited ? 94 : 100; percent <= 102; percent++) {
        Got got = client.ask(percent / 100.0, restAndAnswer);
        if (got.refusedShare() <= client.most) {
          assertThat(got.served / client.stated)
              .as(client.name + " at " + percent + " % of the delay")
              .isLessThanOrEqualTo(1.005);
        }
      }
    }
  }

  private record Got(int asked, int served) {
    double refusedShare() {
      return 1 - (double) served / asked;
    }
  }

  /** Asks at the oracle's delay of each hour, or at a part of it. */
  private static final class Client {
    private final SimShape shape;
    private final String name;
    private final double stated;
    private final double noise;
    private final double most;
    private final boolean limited;
    private final List<Duration> delays = new ArrayList<>();

    /**
     * A client of this shape.
     *
     * @param most the share of refusals that its row of the table may have
     */
    Client(SimShape shape, double noise, double most) {
      this.shape = shape;
      this.noise = noise;
      this.most = most;
      name = shape.name() + ", +-" + shape.network().jitter().toMillis() + " ms";
      Oracle oracle = shape.oracles().getFirst();
      stated = oracle.served(shape.judgedAfter(), shape.length());
      List<Oracle.Kept> kept = oracle.keeps(shape.judgedAfter(), shape.length());
      for (long hour = shape.judgedAfter().toHours(); hour < shape.length().toHours(); hour++) {
        Duration from = Duration.ofHours(hour);
        List<Oracle.Kept> now = kept.size() == 1 ? kept : oracle.keeps(from, from.plusHours(1));
        delays.add(now.getFirst().delay());
      }
      limited = !shape.name().contains("no limit");
    }

    Got ask(double factor, Duration rest) {
      SplittableRandom random = new SplittableRandom(23);
      SimServer server = shape.server().get();
      long start = shape.judgedAfter().toNanos();
      int asked = 0;
      int served = 0;
      while (start < shape.length().toNanos()) {
        long arrival = start + shape.network().oneWay(random);
        boolean refused =
            server.reply(Duration.ofNanos(arrival), random).outcome() instanceof RateLimited;
        asked++;
        served += refused ? 0 : 1;
        long hour = (start - shape.judgedAfter().toNanos()) / Duration.ofHours(1).toNanos();
        long delay = (long) (delays.get((int) hour).toNanos() * factor);
        start += refused ? Math.max(delay, rest.toNanos()) : delay;
      }
      return new Got(asked, served);
    }
  }

  private static List<Client> clients() {
    List<Client> clients = new ArrayList<>();
    for (Network network : List.of(Network.STEADY, new Network(Duration.ofMillis(15)))) {
      for (SimShape gap : SimShape.intervals().subList(0, 4)) {
        clients.add(new Client(gap.behind(network), 0, 0.001));
      }
      List<SimShape> shapes = new ArrayList<>(SimShape.changes());
      shapes.add(SimShape.night());
      shapes.addAll(SimShape.bans());
      shapes.addAll(SimNeighbours.sharing());
      shapes.forEach(shape -> clients.add(new Client(shape.behind(network), 0, 0.005)));
      List<SimShape> noisy = SimShape.noisyLimits();
      clients.add(new Client(noisy.get(0).behind(network), 0.01, 0.015));
      clients.add(new Client(noisy.get(1).behind(network), 0.03, 0.035));
    }
    return clients;
  }
}
