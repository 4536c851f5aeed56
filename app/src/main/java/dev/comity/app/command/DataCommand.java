package dev.comity.app.command;

import dev.comity.app.output.JsonLines;
import dev.comity.app.settings.Configuration;
import dev.comity.app.settings.DataOption;
import dev.comity.app.settings.Settings;
import dev.comity.app.settings.WrongSetting;
import dev.comity.app.text.Fields;
import dev.comity.core.url.DomainName;
import dev.comity.core.url.UrlRefusal;
import dev.comity.core.util.Printable;
import dev.comity.store.report.DomainRecord;
import dev.comity.store.report.StoreReader;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** A command about a data directory. It answers in words, or in JSON. */
public abstract class DataCommand implements Callable<Integer> {
  private static final int SUGGESTED = 3;
  private static final int LONGEST_NAME = 64;

  @Spec private CommandSpec command;

  @Mixin private DataOption data = new DataOption();

  @Option(names = "--json", description = "Answer in JSON, one object a line.")
  private boolean json;

  @Override
  public final Integer call() {
    try {
      Configuration.ofData(command);
      return answer(data);
    } finally {
      out().flush();
    }
  }

  /** Does the command's work and returns the exit code. */
  protected abstract int answer(DataOption data);

  /** The settings of a crawl started here. */
  protected final Settings settings() {
    return ConfigCommand.settings(command);
  }

  protected final boolean inJson() {
    return json;
  }

  protected final void say(Fields fields) {
    out().println(JsonLines.line(fields));
  }

  protected final void say(String line) {
    out().println(line);
  }

  protected final void say(List<String> lines) {
    lines.forEach(this::say);
  }

  private PrintWriter out() {
    return command.commandLine().getOut();
  }

  /**
   * The domain of that name, in any spelling.
   *
   * @throws WrongSetting if the data directory has none; similar names are suggested
   */
  protected static DomainRecord known(StoreReader reader, String given) {
    String name =
        switch (DomainName.parse(given)) {
          case DomainName domain -> domain.name();
          case UrlRefusal refusal -> throw new WrongSetting(refusal.message());
        };
    return reader.domain(name).orElseThrow(() -> unknown(reader, name));
  }

  private static WrongSetting unknown(StoreReader reader, String name) {
    List<String> similar = reader.similar(name, SUGGESTED);
    return new WrongSetting(
        "domain is %s, but it is not known; ".formatted(name)
            + (similar.isEmpty()
                ? "`comity domains` lists those that are known"
                : "did you mean " + String.join(" or ", similar) + "?"));
  }

  /** A name that needs no quotes, in a shell or in a report. */
  protected static String name(String text) {
    boolean good =
        !text.isEmpty()
            && text.length() <= LONGEST_NAME
            && text.chars()
                .allMatch(one -> Character.isLetterOrDigit(one) || "._-".indexOf(one) >= 0);
    if (!good) {
      throw new WrongSetting(
          "name is %s, but must be 1 to %d letters, digits, dots, hyphens or underscores"
              .formatted(Printable.text(text), LONGEST_NAME));
    }
    return text;
  }

  /** Refuses a limit that leaves nothing to show. */
  protected static void requirePositive(String name, int limit) {
    if (limit < 1) {
      throw new WrongSetting(name + " is " + limit + ", but must be at least 1");
    }
  }
}
