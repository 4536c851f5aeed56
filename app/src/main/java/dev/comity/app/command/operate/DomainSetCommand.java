package dev.comity.app.command.operate;

import dev.comity.app.command.DataCommand;
import dev.comity.app.process.Exit;
import dev.comity.app.settings.DataOption;
import dev.comity.app.settings.WrongSetting;
import dev.comity.app.text.Words;
import dev.comity.core.policy.lifecycle.DomainStatus;
import dev.comity.core.port.store.Operations;
import dev.comity.core.port.store.Operations.TermsChange;
import dev.comity.core.port.store.OperatorTerms;
import dev.comity.core.url.DomainName;
import dev.comity.core.util.Printable;
import dev.comity.store.report.DomainRecord;
import dev.comity.store.report.StoreReader;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code comity domain set NAME}: how one domain is crawled, from its next request on. */
@Command(
    name = "set",
    description = {
      "Set how a domain is crawled: its pace, its share of a run, or a pause. It holds until it is"
          + " set again; `default` takes a value back.",
      "",
      "Works beside a running crawl, which looks before every request: no request follows the one"
          + " that is being written. A paused domain keeps its status and its URLs."
    })
public final class DomainSetCommand extends DataCommand {
  /** More domains than this are counted, not printed. */
  private static final int MOST = 20;

  @Spec private CommandSpec spec;

  @Parameters(
      arity = "0..1",
      paramLabel = "NAME",
      description = "The domain, in any spelling of its host.")
  private @Nullable String name;

  @Option(
      names = "--where",
      paramLabel = "status=STATUS",
      description =
          "Instead of NAME: all domains that are pending, active, exhausted, blocked or unreachable"
              + " now.")
  private @Nullable String where;

  @Mixin private TermsOptions options = new TermsOptions();

  @Option(names = "--dry-run", description = "Only say what would be set.")
  private boolean dry;

  @Override
  protected int answer(DataOption data) {
    requireOptionsBehind();
    UnaryOperator<OperatorTerms> change = options.change();
    if (name != null && where == null) {
      one(data, name, change);
    } else if (name == null && where != null) {
      all(data, status(where), change);
    } else {
      throw new WrongSetting(
          name == null
              ? "NAME is missing: name a domain, or several with --where status=STATUS"
              : "NAME is %s and where is %s, but one of them is enough: leave the other out"
                  .formatted(Printable.text(name), Printable.text(String.valueOf(where))));
    }
    return Exit.DONE;
  }

  /** What stands before `set` is of `domain` and would be ignored here. */
  private void requireOptionsBehind() {
    if (!spec.parent().commandLine().getParseResult().matchedArgs().isEmpty()) {
      throw new WrongSetting(
          "`comity domain set` takes its domain and options behind `set`: comity domain set NAME"
              + " --pause");
    }
  }

  private void one(DataOption data, String given, UnaryOperator<OperatorTerms> change) {
    DomainRecord domain;
    try (StoreReader reader = data.reader()) {
      domain = known(reader, given);
    }
    DomainName of = new DomainName(domain.name());
    TermsChange done =
        dry
            ? new TermsChange(of, domain.terms(), change.apply(domain.terms()))
            : OperatorCommand.operations(data).setTerms(of, change).orElseThrow();
    if (inJson()) {
      say(TermsWords.fields(done, dry));
      return;
    }
    say(TermsWords.line(done, dry));
    TermsWords.longer(domain, done.after()).ifPresent(this::say);
  }

  private void all(DataOption data, DomainStatus status, UnaryOperator<OperatorTerms> change) {
    Operations operations = OperatorCommand.operations(data);
    List<TermsChange> done =
        dry ? operations.wouldSet(status, change) : operations.setTerms(status, change);
    if (inJson()) {
      done.forEach(one -> say(TermsWords.fields(one, dry)));
      return;
    }
    done.stream().limit(MOST).forEach(one -> say(TermsWords.line(one, dry)));
    String more = done.size() > MOST ? "and %d more; ".formatted(done.size() - MOST) : "";
    say(
        "%s%s %s"
            .formatted(
                more,
                Words.count(done.size(), Words.of(status) + " domain"),
                dry ? "would change" : "changed"));
  }

  private static DomainStatus status(String where) {
    String[] pair = where.split("=", 2);
    Optional<DomainStatus> status =
        pair.length == 2 && pair[0].equals("status")
            ? Arrays.stream(DomainStatus.values())
                .filter(one -> Words.of(one).equals(pair[1].toLowerCase(Locale.ROOT)))
                .findFirst()
            : Optional.empty();
    return status.orElseThrow(
        () ->
            new WrongSetting(
                "where is %s, but must be status= and one of %s"
                    .formatted(
                        Printable.text(where),
                        Arrays.stream(DomainStatus.values())
                            .map(Words::of)
                            .collect(Collectors.joining(", ")))));
  }
}
