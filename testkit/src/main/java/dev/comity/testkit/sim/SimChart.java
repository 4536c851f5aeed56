package dev.comity.testkit.sim;

import dev.comity.core.policy.DomainPolicy;
import dev.comity.core.policy.settings.PolicySettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Draws the delay over a day for six kinds of servers, beside that of a client that knows the
 * limit. The argument is the file to write, such as {@code docs/delays.svg}.
 */
public final class SimChart {
  private static final List<String> SHAPES =
      List.of(
          "bucket 2/s, burst 20",
          "one per 3 s, +-10 %",
          "100 an hour",
          "1/s, 2/s from noon",
          "3.0 % random 429",
          "one per 90 s");
  private static final int WIDTH = 300;
  private static final int HEIGHT = 130;
  private static final int GAP = 40;

  /** Delays are drawn from a tenth of a second to ten minutes, each decade as high as the next. */
  private static final double SHORTEST = 0.1;

  private static final double DECADES = Math.log10(600 / SHORTEST);

  private record Point(double seconds, double delay) {}

  private SimChart() {}

  /** Writes the chart. */
  public static void main(String[] arguments) throws IOException {
    Files.writeString(Path.of(arguments[0]), draw());
  }

  static String draw() {
    StringBuilder svg = new StringBuilder();
    int width = 2 * (WIDTH + GAP) + GAP;
    int height = 3 * (HEIGHT + GAP) + GAP;
    svg.append(
        String.format(
            Locale.ROOT,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\""
                + " font-family=\"sans-serif\" font-size=\"11\">%n"
                + "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>%n",
            width,
            height));
    for (int i = 0; i < SHAPES.size(); i++) {
      panel(svg, SHAPES.get(i), GAP + i % 2 * (WIDTH + GAP), GAP + i / 2 * (HEIGHT + GAP));
    }
    return svg.append("</svg>\n").toString();
  }

  private static void panel(StringBuilder svg, String name, int left, int top) {
    SimShape shape =
        SimTable.shapes().stream()
            .filter(each -> each.name().equals(name))
            .findFirst()
            .orElseThrow();
    line(svg, left, top - 6, name + ", delay over 24 h");
    for (double delay : new double[] {0.1, 1, 10, 100}) {
      double y = top + y(delay);
      svg.append(
          String.format(
              Locale.ROOT,
              "<path d=\"M%d %.1fh%d\" stroke=\"#ddd\"/><text x=\"%d\" y=\"%.1f\""
                  + " text-anchor=\"end\" fill=\"#777\">%s s</text>%n",
              left,
              y,
              WIDTH,
              left - 3,
              y + 4,
              delay < 1 ? "0.1" : Long.toString((long) delay)));
    }
    double from = left;
    for (Oracle.Kept kept : shape.oracles().getFirst().keeps(Duration.ZERO, shape.length())) {
      double width = (double) WIDTH * kept.lasting().toNanos() / shape.length().toNanos();
      svg.append(
          String.format(
              Locale.ROOT,
              "<path d=\"M%.1f %.1fh%.1f\" stroke=\"#c60\" stroke-dasharray=\"4 3\"/>%n",
              from,
              top + y(kept.delay().toMillis() / 1000.0),
              width));
      from += width;
    }
    svg.append("<path fill=\"none\" stroke=\"#047\" stroke-width=\"1.2\" d=\"");
    String command = "M";
    for (Point point : delays(shape)) {
      svg.append(
          String.format(
              Locale.ROOT,
              "%s%.1f %.1f",
              command,
              left + WIDTH * point.seconds / 86_400,
              top + y(point.delay)));
      command = "L";
    }
    svg.append("\"/>\n");
  }

  private static void line(StringBuilder svg, int x, int y, String words) {
    svg.append(String.format(Locale.ROOT, "<text x=\"%d\" y=\"%d\">%s</text>%n", x, y, words));
  }

  private static double y(double delay) {
    double decades = Math.log10(Math.max(SHORTEST, delay) / SHORTEST);
    return HEIGHT - HEIGHT * decades / DECADES;
  }

  /** The delay whenever it changed, and no more often than a chart can show. */
  private static List<Point> delays(SimShape shape) {
    PolicySettings settings = PolicySettings.DEFAULTS;
    DomainPolicy policy =
        new DomainPolicy(settings.with(settings.pace().withMinimum(shape.minimum())));
    SimDomain domain =
        new SimDomain(
            policy, shape.server().get(), shape.limits(), Long.MAX_VALUE, Simulation.START);
    List<Point> points = new ArrayList<>();
    new Simulation(List.of(domain), 1)
        .tell(
            (_, decision) -> {
              double at =
                  Duration.between(Simulation.START, decision.state().slots().lastStart())
                          .toMillis()
                      / 1000.0;
              double delay = policy.pace(decision.state()).effective().toMillis() / 1000.0;
              if (points.isEmpty() || at - points.getLast().seconds() > 120) {
                points.add(new Point(at, delay));
              }
            })
        .run(Duration.ofDays(1));
    return points;
  }
}
