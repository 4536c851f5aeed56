package dev.comity.testkit.sim;

import dev.comity.core.policy.settings.PolicySettings;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Prints what the policy makes of every kind of server, the worst of five seeds each. After a build
 * it runs with {@code java -cp core/target/classes:testkit/target/classes
 * dev.comity.testkit.sim.SimTable}. Arguments, all optional: the first seed, the jitter of the
 * network in milliseconds, the number of seeds, and a part of the names of the shapes wanted.
 *
 * <p><em>Share</em> is what was served of what an oracle would get that knows the limit. <em>Until
 * set</em> is how often the policy was refused before a hundred requests in a row were served at 90
 * to 102 % of the oracle's pace; <em>settled</em> is the time from the first refusal to the start
 * of these.
 */
public final class SimTable {
  private static final int SEEDS = 5;

  private SimTable() {}

  /** Every shape there is. */
  public static List<SimShape> shapes() {
    List<SimShape> shapes = new ArrayList<>();
    shapes.addAll(SimShape.buckets());
    shapes.addAll(SimShape.intervals());
    shapes.addAll(SimShape.longIntervals());
    shapes.addAll(SimShape.withoutRobots());
    shapes.addAll(SimShape.shortWindows());
    shapes.addAll(SimShape.hours());
    shapes.addAll(SimShape.days());
    shapes.addAll(SimShape.announced());
    shapes.add(SimShape.night());
    shapes.addAll(SimShape.changes());
    shapes.addAll(SimShape.noises());
    shapes.addAll(SimShape.noisyLimits());
    shapes.addAll(SimShape.bans());
    shapes.addAll(SimShape.sayingSixty());
    shapes.addAll(SimShape.unwell());
    shapes.addAll(SimNeighbours.sharing());
    for (SimShape shape : SimNeighbours.apart()) {
      shapes.add(SimNeighbours.unknown(shape));
      shapes.add(shape);
    }
    return shapes;
  }

  /** Prints the table. */
  public static void main(String[] arguments) {
    List<String> words = List.of(arguments);
    long seed = words.isEmpty() ? 1 : Long.parseLong(words.getFirst());
    long jitter = words.size() < 2 ? 2 : Long.parseLong(words.get(1));
    int seeds = words.size() < 3 ? SEEDS : Integer.parseInt(words.get(2));
    String part = words.size() < 4 ? "" : words.get(3);
    List<SimShape> chosen = shapes().stream().filter(it -> it.name().contains(part)).toList();
    print(System.out, chosen, seed, seeds, new Network(Duration.ofMillis(jitter)));
  }

  static void print(
      PrintStream out, List<SimShape> shapes, long firstSeed, int seeds, Network network) {
    out.printf(
        Locale.ROOT,
        "%-32s %9s %9s %8s %9s %8s %9s %9s %9s %8s %5s %s%n",
        "server, +-" + network.jitter().toMillis() + " ms",
        "oracle",
        "asked",
        "refused",
        "refused %",
        "share %",
        "until set",
        "settled",
        "delay",
        "oracle's",
        "lost",
        "closed");
    for (SimShape shape : shapes) {
      SimResult result =
          SimResult.worst(shape.behind(network), PolicySettings.DEFAULTS, firstSeed, seeds);
      out.printf(
          Locale.ROOT,
          "%-32s %9.0f %9d %8d %9.3f %8.1f %9s %9s %9s %8s %5d %s%n",
          result.name(),
          result.allowed(),
          result.asked(),
          result.refused(),
          100 * result.refusedShare(),
          100 * result.share(),
          result.settled().map(it -> Integer.toString(it.refusals())).orElse("-"),
          result.settled().map(it -> it.after().toSeconds() + " s").orElse("-"),
          result.delay().toMillis() + " ms",
          result.oracle().toMillis() + " ms",
          result.lost(),
          result.closings().isEmpty() ? "-" : closings(result));
    }
  }

  private static String closings(SimResult result) {
    return result.closings().size() + " x " + result.closings().getFirst().reason().orElseThrow();
  }
}
