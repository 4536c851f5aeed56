package dev.comity.app.command;

import dev.comity.app.monitor.CrawlMonitor;
import dev.comity.app.output.ArchiveOption;
import dev.comity.app.output.PageOutput;
import dev.comity.app.process.ErrorLine;
import dev.comity.app.process.Screen;
import dev.comity.app.settings.WrongSetting;
import dev.comity.app.text.Words;
import java.io.PrintWriter;
import java.time.InstantSource;
import java.util.function.IntUnaryOperator;
import picocli.CommandLine.Model.CommandSpec;

/**
 * What {@code crawl} and {@code fetch} share: where they print, and how a run is watched and
 * archived.
 *
 * @param quiet whether pages and changes are not shown
 */
record RunConsole(
    CommandSpec spec,
    SettingOptions options,
    ArchiveOption archive,
    FrontierOption frontier,
    boolean quiet) {

  Screen screen() {
    return options.monitorOptions.screen(
        spec.commandLine().getOut(),
        spec.commandLine().getErr(),
        pagesOnOut(),
        quiet,
        InstantSource.system());
  }

  /** Standard output, or standard error where the pages go to standard output. */
  PrintWriter reports() {
    return pagesOnOut() ? spec.commandLine().getErr() : spec.commandLine().getOut();
  }

  private boolean pagesOnOut() {
    return PageOutput.STANDARD_OUTPUT.equals(options.output.out);
  }

  /**
   * Runs it to its end. Errors are printed before the process is closed: after a signal, the JVM
   * ends with that.
   *
   * @param again whether known pages of the start domains are asked again
   * @param exit turns the crawl's exit code into that of the process
   * @param afterwards called when the run has ended well
   */
  int run(
      CrawlProcess process,
      Screen screen,
      boolean again,
      IntUnaryOperator exit,
      Runnable afterwards)
      throws InterruptedException {
    try (CrawlMonitor monitor =
            new CrawlMonitor(options.monitorOptions, screen, reports(), process.time());
        ArchiveOption.OpenArchive exchanges =
            archive.open(
                process.session().network().agent().header(),
                process.session().plan().purposes(),
                process.time())) {
      if (exchanges.repaired() > 0) {
        screen.line(
            Words.count(exchanges.repaired(), "WARC file") + " of a crashed crawl repaired.");
      }
      monitor.whereMetricsAre().ifPresent(words -> sayWhere(words, screen));
      CrawlRun run =
          new CrawlRun(
              process,
              options.output,
              exchanges.archive(),
              frontier,
              screen,
              monitor,
              quiet,
              again,
              options.egress.afterword(),
              exit);
      int code = options.output.ephemeral ? run.inMemory() : run.at(options.data.place());
      afterwards.run();
      return code;
    } catch (WrongSetting wrong) {
      // The caller adds the place that sets it.
      throw wrong;
    } catch (RuntimeException failed) {
      return ErrorLine.said(failed, spec.commandLine());
    }
  }

  /** Prints the address of the metrics; with --quiet only if the system chose the port. */
  private void sayWhere(String words, Screen screen) {
    if (!quiet || options.monitorOptions.logsJson()) {
      screen.line(words);
    } else if (options.monitorOptions.anyPortServes()) {
      spec.commandLine().getErr().println(words);
    }
  }
}
