package dev.comity.app.monitor;

import dev.comity.app.metrics.MetricsServer;
import dev.comity.app.process.Screen;
import dev.comity.app.settings.WrongSetting;
import dev.comity.core.engine.Crawl;
import dev.comity.core.port.CrawlListener;
import dev.comity.core.port.Timeline;
import dev.comity.core.port.run.Run;
import dev.comity.core.port.store.Census;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Everything that shows one crawl: lines or events, the live view, progress as JSON, metrics. It is
 * opened before the run begins, so that a port in use stops no crawl half way.
 */
public final class CrawlMonitor implements AutoCloseable {
  private static final Duration PAINTING = Duration.ofMillis(250);
  private static final Duration REPORTING = Duration.ofSeconds(1);

  private final MonitorOptions options;
  private final Screen screen;
  private final PrintWriter reports;
  private final Optional<MetricsServer> metrics;
  private final Timeline time;
  private final List<AutoCloseable> open = new ArrayList<>();
  private Supplier<Optional<Census>> counting = Optional::empty;

  /**
   * @param reports where lines for programs go
   * @throws WrongSetting if metrics cannot be served
   */
  public CrawlMonitor(MonitorOptions options, Screen screen, PrintWriter reports, Timeline time) {
    this.options = options;
    this.screen = screen;
    this.reports = reports;
    this.time = time;
    metrics = options.metrics();
  }

  /** Where metrics are served, in words. */
  public Optional<String> whereMetricsAre() {
    return metrics.map(server -> "Metrics are at " + url(server.address()) + "/metrics.");
  }

  private static String url(InetSocketAddress address) {
    String host = address.getAddress().getHostAddress();
    return "http://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + address.getPort();
  }

  /** Counts what there is to do from now on, if a view needs it. */
  public void count(Supplier<QueueCounter> starting) {
    if (screen.isLive() || options.json() || metrics.isPresent()) {
      QueueCounter counter = starting.get();
      open.add(counter);
      counting = counter::last;
    }
  }

  /**
   * The listeners that print and count.
   *
   * @param quiet whether pages and changes are not printed
   */
  public List<CrawlListener> listeners(boolean quiet) {
    List<CrawlListener> listeners = new ArrayList<>();
    if (options.logsJson()) {
      listeners.add(new EventLines(screen::asItIs, time));
    } else if (!quiet) {
      if (!options.json()) {
        listeners.add(new PageNotes(screen));
      }
      listeners.add(new ChangeNotes(screen, time));
    }
    metrics.ifPresent(server -> listeners.add(server.meters()));
    return listeners;
  }

  /** The crawl begins. */
  public void begins(Crawl crawl, CrawlCounts counts, Run run, Budgets budgets) {
    Optional<Instant> deadline = options.maxTime().map(time.instant()::plus);
    deadline.ifPresent(crawl::endAt);
    metrics.ifPresent(server -> server.meters().watch(crawl::snapshot, counting));
    RateSampler sampler =
        new RateSampler(counts, run, budgets, crawl::snapshot, counting, deadline, time);
    if (screen.isLive()) {
      open.add(screen::clear);
      open.add(new Ticker("live view", PAINTING, () -> paint(sampler)));
    }
    if (options.json()) {
      open.add(new Ticker("progress", REPORTING, () -> progress(crawl, sampler)));
    }
  }

  private void paint(RateSampler sampler) {
    Snapshot now = sampler.look();
    screen.paint(window -> LiveView.lines(now, window));
  }

  /** If the reader of the JSON lines has closed the pipe, the crawl is stopped. */
  private void progress(Crawl crawl, RateSampler sampler) {
    if (!report(Progress.line(sampler.look()))) {
      crawl.stop();
    }
  }

  /**
   * Prints the summary; the views have stopped before.
   *
   * @throws UncheckedIOException if programs could not be told
   */
  public void ended(Crawl.End end, CrawlCounts counts, Duration took, int exit, String words) {
    settle();
    String summary = Progress.summary(time.instant(), end, counts, took, exit);
    boolean reported = !options.json() || report(summary);
    if (options.logsJson() && !(options.json() && screen.writesTo(reports))) {
      screen.asItIs(summary);
    } else if (!options.json()) {
      screen.line(words);
    }
    if (!reported) {
      throw new UncheckedIOException(
          "cannot write the lines of --json: the reader has closed the pipe, or the disk is full",
          new IOException());
    }
  }

  /** Answers whether it could be written. */
  private boolean report(String line) {
    reports.println(line);
    return !reports.checkError();
  }

  /** What was opened last is closed first. */
  private void settle() {
    for (AutoCloseable one : open.reversed()) {
      try {
        one.close();
      } catch (RuntimeException failed) {
        throw failed;
      } catch (Exception never) {
        throw new IllegalStateException(never);
      }
    }
    open.clear();
  }

  @Override
  public void close() {
    settle();
    metrics.ifPresent(MetricsServer::close);
  }
}
