package dev.comity.app;

import dev.comity.app.command.ConfigCommand;
import dev.comity.app.command.CrawlCommand;
import dev.comity.app.command.DemoCommand;
import dev.comity.app.command.ExportCommand;
import dev.comity.app.command.FetchCommand;
import dev.comity.app.command.IngestSeedsCommand;
import dev.comity.app.command.RefreshCommand;
import dev.comity.app.command.WorkerCommand;
import dev.comity.app.command.backfill.BackfillCommand;
import dev.comity.app.command.backfill.ImportCommand;
import dev.comity.app.command.fleet.CleanupStaleRunsCommand;
import dev.comity.app.command.fleet.DrainCommand;
import dev.comity.app.command.fleet.WorkersCommand;
import dev.comity.app.command.operate.ClaimsCommand;
import dev.comity.app.command.operate.DoctorCommand;
import dev.comity.app.command.operate.DomainBlockCommand;
import dev.comity.app.command.operate.DomainResetCommand;
import dev.comity.app.command.operate.FrontierCommand;
import dev.comity.app.command.operate.PruneCommand;
import dev.comity.app.command.operate.RecalculatePrioritiesCommand;
import dev.comity.app.command.operate.ReleaseStuckClaimsCommand;
import dev.comity.app.command.operate.TrapLiftCommand;
import dev.comity.app.command.report.DomainCommand;
import dev.comity.app.command.report.DomainStatusCommand;
import dev.comity.app.command.report.DomainsCommand;
import dev.comity.app.command.report.QueueCommand;
import dev.comity.app.command.report.RunsCommand;
import dev.comity.app.command.report.TopDomainsCommand;
import dev.comity.app.command.report.WhyCommand;
import dev.comity.app.command.source.AddCommand;
import dev.comity.app.command.source.SourceCommand;
import dev.comity.app.metrics.MetricsServer;
import dev.comity.app.process.EndSignals;
import dev.comity.app.process.ErrorLine;
import dev.comity.app.process.Exit;
import dev.comity.app.process.Version;
import dev.comity.app.process.WrongUsage;
import dev.comity.app.settings.Environment;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The {@code comity} command. A new subcommand is one more line in the table below. */
@Command(
    name = "comity",
    description = {
      "A web crawler that is polite by construction and remembers every domain.",
      "",
      "`comity java FILE ARGUMENT...` runs a Java program of yours with the library."
    },
    // Inherited: every subcommand answers --help and --version without saying so itself.
    mixinStandardHelpOptions = true,
    versionProvider = Main.VersionLine.class,
    scope = ScopeType.INHERIT,
    synopsisSubcommandLabel = "COMMAND")
public final class Main implements Runnable, Environment.Given {
  /** By the names they are called; a test holds these to the commands' own. */
  private static final Map<String, Class<?>> COMMANDS = new LinkedHashMap<>();

  static {
    COMMANDS.put("crawl", CrawlCommand.class);
    COMMANDS.put("worker", WorkerCommand.class);
    COMMANDS.put("fetch", FetchCommand.class);
    COMMANDS.put("refresh", RefreshCommand.class);
    COMMANDS.put("ingest-seeds", IngestSeedsCommand.class);
    COMMANDS.put("backfill", BackfillCommand.class);
    COMMANDS.put("import", ImportCommand.class);
    COMMANDS.put("add", AddCommand.class);
    COMMANDS.put("source", SourceCommand.class);
    COMMANDS.put("config", ConfigCommand.class);
    COMMANDS.put("demo", DemoCommand.class);
    COMMANDS.put("domains", DomainsCommand.class);
    COMMANDS.put("domain-status", DomainStatusCommand.class);
    COMMANDS.put("top-domains", TopDomainsCommand.class);
    COMMANDS.put("domain", DomainCommand.class);
    COMMANDS.put("why", WhyCommand.class);
    COMMANDS.put("runs", RunsCommand.class);
    COMMANDS.put("queue", QueueCommand.class);
    COMMANDS.put("export", ExportCommand.class);
    COMMANDS.put("domain-reset", DomainResetCommand.class);
    COMMANDS.put("domain-block", DomainBlockCommand.class);
    COMMANDS.put("trap-lift", TrapLiftCommand.class);
    COMMANDS.put("recalculate-priorities", RecalculatePrioritiesCommand.class);
    COMMANDS.put("workers", WorkersCommand.class);
    COMMANDS.put("claims", ClaimsCommand.class);
    COMMANDS.put("release-stuck-claims", ReleaseStuckClaimsCommand.class);
    COMMANDS.put("cleanup-stale-runs", CleanupStaleRunsCommand.class);
    COMMANDS.put("drain", DrainCommand.class);
    COMMANDS.put("doctor", DoctorCommand.class);
    COMMANDS.put("prune", PruneCommand.class);
    COMMANDS.put("frontier", FrontierCommand.class);
    COMMANDS.put("help", HelpCommand.class);
  }

  /** What {@code --version} answers with any command. */
  static final class VersionLine implements IVersionProvider {
    @Override
    public String[] getVersion() {
      return new String[] {Version.line()};
    }
  }

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
    System.exit(commandLineFor(arguments).setOut(standardOutput()).execute(arguments));
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
    return commandLine(environment, COMMANDS.values());
  }

  /**
   * The command line that these arguments need. A start builds the options of the command that is
   * called and of {@code config}, which reads every command's settings: those of all commands cost
   * a third of a second of processor time.
   */
  static CommandLine commandLineFor(String... arguments) {
    return commandLine(Environment.ours(), needed(arguments));
  }

  private static Collection<Class<?>> needed(String... arguments) {
    Class<?> called = arguments.length == 0 ? null : COMMANDS.get(arguments[0]);
    return called == null || called == HelpCommand.class
        ? COMMANDS.values()
        : new LinkedHashSet<>(List.of(called, ConfigCommand.class));
  }

  private static CommandLine commandLine(Environment environment, Collection<Class<?>> commands) {
    CommandLine line = new CommandLine(new Main(environment));
    commands.forEach(line::addSubcommand);
    line.getSubcommands().values().forEach(Main::tellExitCodes);
    CommandLine fetch = line.getSubcommands().get("fetch");
    if (fetch != null) {
      FetchCommand.tidy(fetch.getCommandSpec());
    }
    return line.setCaseInsensitiveEnumValuesAllowed(true)
        .setParameterExceptionHandler(new WrongUsage())
        .setExecutionExceptionHandler(new ErrorLine());
  }

  /** Every command tells its exit codes. */
  private static void tellExitCodes(CommandLine command) {
    UsageMessageSpec usage = command.getCommandSpec().usageMessage();
    if (usage.exitCodeList().isEmpty()) {
      usage.exitCodeListHeading("%nExit codes:%n").exitCodeList(Exit.usual());
    }
    command.getSubcommands().values().forEach(Main::tellExitCodes);
  }

  /** Without a command, prints the list of commands. */
  @Override
  public void run() {
    PrintWriter out = spec.commandLine().getOut();
    spec.commandLine().usage(out);
    out.flush();
  }
}
