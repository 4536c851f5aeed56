package dev.comity.app;

import dev.comity.app.metrics.MetricsServer;
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
final class SeeingOptions {
  /** What is said besides pages. */
  enum LogFormat {
    PLAIN,
    JSON
  }

  @Option(
      names = "--max-time",
      paramLabel = "TIME",
      converter = Durations.class,
      description = "End in order after this time, 10m say; the same command goes on.")
  private @Nullable Duration maxTime;

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
      names = "--metrics-port",
      paramLabel = "N",
      description = "Serve metrics for Prometheus at this port; 0 for any that is free.")
  private @Nullable Integer metricsPort;

  @Option(
      names = "--metrics-host",
      paramLabel = "ADDRESS",
      description =
          "Serve metrics at this IP address of the machine (default: ${DEFAULT-VALUE}, for this"
              + " machine alone).")
  private String metricsHost = "127.0.0.1";

  Optional<Duration> maxTime() {
    return Optional.ofNullable(maxTime);
  }

  void answerInJson(boolean wanted) {
    json = wanted;
  }

  boolean json() {
    return json;
  }

  boolean logsJson() {
    return logFormat == LogFormat.JSON;
  }

  /** Whether the system chooses where metrics are, so that nobody knows who is not told. */
  boolean anyPortServes() {
    return metricsPort != null && metricsPort == 0;
  }

  /**
   * @throws WrongSetting if one makes no sense
   */
  void check() {
    if (maxTime != null && !maxTime.isPositive()) {
      throw new WrongSetting(
          "max-time is " + Durations.spoken(maxTime) + ", but must be more than 0");
    }
    if (metricsPort != null && (metricsPort < 0 || metricsPort > 65_535)) {
      throw new WrongSetting(
          "metrics-port is " + metricsPort + ", but a port is a number from 0 to 65535");
    }
  }

  /**
   * Where people read what is said.
   *
   * @param pagesOnOut whether pages have standard output to themselves
   */
  Screen screen(
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
    if (metricsPort == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(MetricsServer.open(new InetSocketAddress(host(), metricsPort)));
    } catch (IOException _) {
      throw new WrongSetting(
          "metrics-port is %d, but nothing can be served there at %s: somebody else may have it, or"
                  .formatted(metricsPort, metricsHost)
              + " it may not be yours; name another, or 0 for any that is free");
    }
  }

  /** Not looked up: nothing but the crawl asks name servers. */
  private InetAddress host() {
    try {
      return metricsHost.equals("localhost")
          ? InetAddress.getLoopbackAddress()
          : InetAddress.ofLiteral(metricsHost);
    } catch (IllegalArgumentException _) {
      throw new WrongSetting(
          "metrics-host is %s, but must be an IP address of this machine, such as 127.0.0.1 or"
                  .formatted(Visible.text(metricsHost))
              + " 0.0.0.0 for all of them");
    }
  }
}
