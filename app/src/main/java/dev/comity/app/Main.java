package dev.comity.app;

import dev.comity.app.command.ConfigCommand;
import dev.comity.app.command.CrawlCommand;
import dev.comity.app.command.DemoCommand;
import dev.comity.app.command.ExportCommand;
import dev.comity.app.command.IngestSeedsCommand;
import dev.comity.app.command.operate.DoctorCommand;
import dev.comity.app.command.operate.DomainBlockCommand;
import dev.comity.app.command.operate.DomainResetCommand;
import dev.comity.app.command.operate.PruneCommand;
import dev.comity.app.command.operate.TrapLiftCommand;
import dev.comity.app.command.report.DomainCommand;
import dev.comity.app.command.report.DomainsCommand;
import dev.comity.app.command.report.QueueCommand;
import dev.comity.app.command.report.RunsCommand;
import dev.comity.app.command.report.WhyCommand;
import dev.comity.app.metrics.MetricsServer;
import dev.comity.app.process.EndSignals;
import dev.comity.app.process.ErrorLine;
import dev.comity.app.process.Version;
import dev.comity.app.process.WrongUsage;
import dev.comity.app.settings.Environment;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The {@code comity} command. A new subcommand is one more line in the list below. */
@Command(
    name = "comity",
    description = {
      "A web crawler that is polite by construction and remembers every domain.",
      "",
      "`comity java FILE ARGUMENT...` runs a Java program of yours with the library."
    },
    subcommands = {
      CrawlCommand.class,
      IngestSeedsCommand.class,
      ConfigCommand.class,
      DemoCommand.class,
      DomainsCommand.class,
      DomainCommand.class,
      WhyCommand.class,
      RunsCommand.class,
      QueueCommand.class,
      ExportCommand.class,
      DomainResetCommand.class,
      DomainBlockCommand.class,
      TrapLiftCommand.class,
      DoctorCommand.class,
      PruneCommand.class,
      HelpCommand.class,
    },
    // Inherited: every subcommand answers --help and --version without saying so itself.
    mixinStandardHelpOptions = true,
    versionProvider = Version.class,
    scope = ScopeType.INHERIT,
    synopsisSubcommandLabel = "COMMAND")
public final class Main implements Runnable, Environment.Given {
  @Spec private CommandSpec spec;

  private final Environment environment;

  private Main(Environment environment) {
    this.environment = environment;
  }

  /** What all commands find around them. */
  @Override
  public Environment environment() {
    return environment;
  }

  public static void main(String[] arguments) {
    EndSignals.listen();
    MetricsServer.bound();
    System.exit(commandLine().setOut(standardOutput()).execute(arguments));
  }

  /**
   * Not System.out, which hides a closed pipe, nor the locale's charset, which is plain ASCII for
   * many system services.
   */
  private static PrintWriter standardOutput() {
    return new PrintWriter(
        new OutputStreamWriter(new FileOutputStream(FileDescriptor.out), Charset.defaultCharset()),
        true);
  }

  /** The command line with its writers still replaceable. */
  public static CommandLine commandLine() {
    return commandLine(Environment.ours());
  }

  /** The same in another environment. */
  public static CommandLine commandLine(Environment environment) {
    return new CommandLine(new Main(environment))
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setParameterExceptionHandler(new WrongUsage())
        .setExecutionExceptionHandler(new ErrorLine());
  }

  /** Without a command, prints the list of commands. */
  @Override
  public void run() {
    PrintWriter out = spec.commandLine().getOut();
    spec.commandLine().usage(out);
    out.flush();
  }
}
