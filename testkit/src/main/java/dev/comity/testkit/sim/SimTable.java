package dev.comity.testkit.sim;

import dev.comity.core.policy.PolicySettings;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Prints what the policy makes of every kind of server, the worst of five seeds each. After a build
 * it runs with {@code java -cp core/target/classes:testkit/target/classes
 * dev.comity.testkit.sim.SimTable}; an argument is the first seed, 1 unless given.
 */
public final class SimTable {
  private static final int SEEDS = 5;

  private SimTable() {}

  /** Every shape there is. */
  public static List<SimShape> shapes() {
    List<SimShape> shapes = new ArrayList<>();
    shapes.add(SimShape.bucket());
    shapes.addAll(SimShape.intervals());
    shapes.addAll(SimShape.windows());
    shapes.add(SimShape.night());
    shapes.add(SimShape.noise(0.003));
    shapes.add(SimShape.noise(0.01));
    shapes.addAll(SimShape.sayingSixty());
    shapes.addAll(SimShape.unwell());
    shapes.add(SimShape.sharedBucket());
    return shapes;
  }

  /** Prints the table. */
  public static void main(String[] arguments) {
    print(System.out, arguments.length == 0 ? 1 : Long.parseLong(arguments[0]));
  }

  static void print(PrintStream out, long firstSeed) {
    out.printf(
        Locale.ROOT,
        "%-32s %9s %9s %8s %9s %8s %9s %8s %5s %s%n",
        "server",
        "allowed",
        "asked",
        "refused",
        "refused %",
        "share %",
        "settled",
        "delay",
        "lost",
        "closed");
    for (SimShape shape : shapes()) {
      SimResult result = SimResult.worst(shape, PolicySettings.DEFAULTS, firstSeed, SEEDS);
      out.printf(
          Locale.ROOT,
          "%-32s %9.0f %9d %8d %9.2f %8.1f %9s %8s %5d %s%n",
          result.name(),
          result.allowed(),
          result.asked(),
          result.refused(),
          100 * result.refusedShare(),
          100 * result.share(),
          minutes(result.settled()),
          result.delay().toMillis() + " ms",
          result.lost(),
          result.closings().isEmpty() ? "-" : closings(result));
    }
  }

  private static String closings(SimResult result) {
    return result.closings().size() + " x " + result.closings().getFirst().reason().orElseThrow();
  }

  private static String minutes(Optional<Duration> settled) {
    return settled.map(time -> time.toMinutes() + " min").orElse("-");
  }
}
