package dev.comity.app.command;

import dev.comity.app.process.Exit;
import dev.comity.store.operate.Operator;
import dev.comity.store.report.DomainRecord;
import dev.comity.store.report.StoreReader;
import java.time.Instant;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code comity domain-block NAME}: leaves a domain alone until it is reset. */
@Command(
    name = "domain-block",
    description = "Leave a domain alone until it is reset. Works beside a running crawl.")
public final class DomainBlockCommand implements Callable<Integer> {
  @Mixin private DataCommand dataCommand = new DataCommand();

  @Parameters(paramLabel = "NAME", description = "The domain, in any spelling of its host.")
  private String name = "";

  @Option(
      names = "--reason",
      paramLabel = "TEXT",
      description = "Why, for the record and for people who ask later.")
  private String reason = "no reason given";

  @Override
  public Integer call() {
    return dataCommand.answer(
        data -> {
          DomainRecord domain;
          try (StoreReader reader = data.reader()) {
            domain = KnownDomain.find(reader, name);
          }
          Operator.Done done =
              OperatorName.of(data, dataCommand.settings())
                  .block(domain.name(), reason, Instant.now())
                  .orElseThrow();
          if (dataCommand.inJson()) {
            dataCommand.say(OperatorName.fields(done, "blocked"));
          } else {
            dataCommand.say(
                "%s: %s → blocked until it is reset%s"
                    .formatted(done.domain(), done.before(), OperatorName.claim(done)));
          }
          return Exit.DONE;
        });
  }
}
