package dev.comity.testkit.refresh;

import dev.comity.testkit.refresh.ChangingSite.Habit;
import dev.comity.testkit.refresh.ComityRule.Hints;
import dev.comity.testkit.refresh.RevisitedSite.Freshness;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.DoubleUnaryOperator;

/**
 * Draws how fresh copies are by the number of visits, for three habits of changing: by our rule, by
 * one that knows every page's rate, by a fixed interval, and by two rules in use. The argument is
 * the file to write, such as {@code docs/refresh.svg}.
 */
public final class RefreshChart {
  private static final int PAGES = 1000;
  private static final int WIDTH = 220;
  private static final int HEIGHT = 200;
  private static final int GAP = 45;
  private static final List<Double> VISITS = List.of(0.02, 0.03, 0.05, 0.1, 0.2, 0.4);
  private static final double FEWEST = 0.02;
  private static final double DECADES = Math.log10(0.4 / FEWEST);

  /** Freshness is drawn from here to 1. */
  private static final double LEAST = 0.6;

  private RefreshChart() {}

  /** Writes the chart. */
  public static void main(String[] arguments) throws IOException {
    Files.writeString(Path.of(arguments[0]), draw(1));
  }

  static String draw(long seed) {
    StringBuilder svg = new StringBuilder();
    Habit[] habits = Habit.values();
    svg.append(
        String.format(
            Locale.ROOT,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\""
                + " font-family=\"sans-serif\" font-size=\"11\">%n"
                + "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>%n",
            habits.length * (WIDTH + GAP) + GAP,
            HEIGHT + 3 * GAP));
    for (int i = 0; i < habits.length; i++) {
      panel(svg, ChangingSite.of(habits[i], PAGES, seed), habits[i], GAP + i * (WIDTH + GAP));
    }
    int y = HEIGHT + 2 * GAP + 20;
    words(svg, GAP, y, "#047", "Comity");
    words(svg, GAP + 70, y, "#c60", "knows every rate");
    words(svg, GAP + 190, y, "#777", "fixed interval");
    words(svg, GAP + 290, y, "#a00", "N: Nutch, S: StormCrawler");
    return svg.append("</svg>\n").toString();
  }

  private static void panel(StringBuilder svg, ChangingSite site, Habit habit, int left) {
    words(svg, left, GAP - 10, "#000", habit + ": fresh share by visits a page and day");
    for (double share : new double[] {0.6, 0.7, 0.8, 0.9, 1}) {
      svg.append(
          String.format(
              Locale.ROOT,
              "<path d=\"M%d %.1fh%d\" stroke=\"#ddd\"/><text x=\"%d\" y=\"%.1f\""
                  + " text-anchor=\"end\" fill=\"#777\">%.0f %%</text>%n",
              left,
              y(share),
              WIDTH,
              left - 3,
              y(share) + 4,
              100 * share));
    }
    for (double visits : new double[] {0.02, 0.05, 0.1, 0.2, 0.4}) {
      words(svg, (int) x(left, visits) - 8, GAP + HEIGHT + 14, "#777", Double.toString(visits));
    }
    curve(svg, left, "#c60", "4 3", visits -> RefreshTable.oracle(site, visits));
    curve(svg, left, "#777", "2 2", visits -> RefreshTable.fixed(site, visits));
    ours(svg, left, site);
    mark(svg, left, "N", RevisitedSite.of(site, RevisitRule.steps(PAGES, 1.4, 0.8)));
    mark(svg, left, "S", RevisitedSite.of(site, RevisitRule.steps(PAGES, 1.5, 0.5)));
  }

  private static void curve(
      StringBuilder svg, int left, String colour, String dashes, DoubleUnaryOperator fresh) {
    StringBuilder path = new StringBuilder();
    for (double visits : VISITS) {
      point(path, left, visits, fresh.applyAsDouble(visits));
    }
    svg.append(
        "<path fill=\"none\" stroke=\"%s\" stroke-dasharray=\"%s\" d=\"%s\"/>%n"
            .formatted(colour, dashes, path));
  }

  private static void ours(StringBuilder svg, int left, ChangingSite site) {
    StringBuilder path = new StringBuilder();
    for (double budget : VISITS) {
      Freshness result = RefreshTable.comity(site, budget, Hints.NONE);
      point(path, left, result.visits(), result.fresh());
    }
    svg.append(
        "<path fill=\"none\" stroke=\"#047\" stroke-width=\"1.5\" d=\"%s\"/>%n".formatted(path));
  }

  private static void point(StringBuilder path, int left, double visits, double fresh) {
    path.append(
        String.format(
            Locale.ROOT, "%s%.1f %.1f", path.isEmpty() ? "M" : "L", x(left, visits), y(fresh)));
  }

  private static void mark(StringBuilder svg, int left, String name, Freshness result) {
    int x = (int) x(left, Math.min(result.visits(), 0.4));
    words(svg, x - 4, (int) y(result.fresh()) + 4, "#a00", name);
  }

  private static void words(StringBuilder svg, int x, int y, String colour, String words) {
    svg.append("<text x=\"%d\" y=\"%d\" fill=\"%s\">%s</text>%n".formatted(x, y, colour, words));
  }

  private static double x(int left, double visits) {
    return left + WIDTH * Math.log10(Math.max(visits, FEWEST) / FEWEST) / DECADES;
  }

  private static double y(double fresh) {
    return GAP + HEIGHT - HEIGHT * (Math.max(fresh, LEAST) - LEAST) / (1 - LEAST);
  }
}
