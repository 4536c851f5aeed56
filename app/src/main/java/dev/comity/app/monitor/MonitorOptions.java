package dev.comity.app.monitor;

import dev.comity.app.metrics.MetricsServer;
import dev.comity.app.process.Screen;
import dev.comity.app.settings.WrongSetting;
import dev.comity.app.text.DurationConverter;
import dev.comity.core.util.Durations;
import dev.comity.core.util.Printable;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How a crawl can be watched, and how long it may take. */
public final class MonitorOptions {
  /** What is said besides pages. */
  enum LogFormat {
    PLAIN,
    JSON
  }

  @Option(
      names = "--max-time",
      paramLabel = "TIME",
      converter = DurationConverter.class,
      description = "End in order after this time, 10m say; the same command goes on.")
  private @Nullable Duration maxTime;

  /** Metrics tell what is crawled, which is no matter of the network's unless it is said so. */
  private static final String LOOPBACK = "127.0.0.1";

  /** No setting: how a command answers is said where it is given. */
  private boolean json;

  @Option(
      names = "--log-format",
      paramLabel = "FORMAT",
      description =
          "How to say what changes: plain, or json for one object a line on standard error and"
              + " nothing else there (default: plain).")
  private LogFormat logFormat = LogFormat.PLAIN;

  @Option(
      names = "--metrics",
      paramLabel = "[ADDRESS:]PORT",
      description =
          "Serve metrics for Prometheus at this port, 0 for any that is free; for this machine"
              + " alone, unless an IP address of it stands before the port.")
  private @Nullable String metrics;

  Optional<Duration> maxTime() {
    return Optional.ofNullable(maxTime);
  }

  public void answerInJson(boolean wanted) {
    json = wanted;
  }

  boolean json() {
    return json;
  }

  public boolean logsJson() {
    return logFormat == LogFormat.JSON;
  }

  /** Whether the system chooses the port of the metrics, which must then be printed. */
  public boolean anyPortServes() {
    return metrics != null && address(metrics).getPort() == 0;
  }

  /**
   * Checks the options against each other.
   *
   * @throws WrongSetting if they contradict each other
   */
  public void check() {
    if (maxTime != null && !maxTime.isPositive()) {
      throw new WrongSetting(
          "max-time is " + Durations.rounded(maxTime) + ", but must be more than 0");
    }
    if (metrics != null) {
      address(metrics);
    }
  }

  /**
   * Where people read what is said.
   *
   * @param pagesOnOut whether pages have standard output to themselves
   */
  public Screen screen(
      PrintWriter out, PrintWriter err, boolean pagesOnOut, boolean quiet, InstantSource time) {
    if (logsJson()) {
      return Screen.shaped(err, words -> EventLines.note(time.instant(), words));
    }
    PrintWriter lines = pagesOnOut || json ? err : out;
    return quiet || json ? Screen.of(lines) : Screen.here(lines, err);
  }

  /**
   * @throws WrongSetting if it cannot be opened
   */
  Optional<MetricsServer> metrics() {
    if (metrics == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(MetricsServer.open(address(metrics)));
    } catch (IOException _) {
      throw new WrongSetting(
          "metrics is %s, but nothing can be served there: another program may have the port, or it may not be yours; name another, or 0 for any that is free"
              .formatted(Printable.text(metrics)));
    }
  }

  /** Names are not looked up: nothing but the crawl asks name servers. */
  private static InetSocketAddress address(String text) {
    int colon = text.lastIndexOf(':');
    String host = colon < 0 ? LOOPBACK : text.substring(0, colon);
    try {
      return new InetSocketAddress(
          host.equals("localhost")
              ? InetAddress.getLoopbackAddress()
              : InetAddress.ofLiteral(host.replaceAll("^\\[(.*)]$", "$1")),
          Integer.parseInt(text.substring(colon + 1)));
    } catch (IllegalArgumentException _) {
      throw new WrongSetting(
          "metrics is %s, but must be a port from 0 to 65535, with an IP address of this machine before it or none: 9464, 127.0.0.1:9464, or 0.0.0.0:9464 for all of its addresses"
              .formatted(Printable.text(text)));
    }
  }
}
