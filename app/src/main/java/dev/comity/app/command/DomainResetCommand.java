package dev.comity.app.command;

import dev.comity.app.process.Exit;
import dev.comity.app.text.Words;
import dev.comity.store.operate.Operator;
import dev.comity.store.report.DomainRecord;
import dev.comity.store.report.StoreReader;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code comity domain-reset NAME}: a fresh start for a domain, also while it is crawled. */
@Command(
    name = "domain-reset",
    description = {
      "Give a domain a fresh start: it is pending again, nothing is held against it, and its seeds"
          + " are queued again. What it taught about its pace stays.",
      "",
      "Works beside a running crawl: whoever holds the domain loses it."
    })
public final class DomainResetCommand implements Callable<Integer> {
  @Mixin private DataCommand dataCommand = new DataCommand();

  @Parameters(paramLabel = "NAME", description = "The domain, in any spelling of its host.")
  private String name = "";

  @Option(names = "--all", description = "Queue every known URL again, not only the seeds.")
  private boolean all;

  @Option(names = "--reason", paramLabel = "TEXT", description = "Why, for the record.")
  private @Nullable String reason;

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
                  .reset(domain.name(), all, Optional.ofNullable(reason), Instant.now())
                  .orElseThrow();
          if (dataCommand.inJson()) {
            dataCommand.say(OperatorName.fields(done, "pending").and("requeued", done.requeued()));
          } else {
            show(done);
          }
          return Exit.DONE;
        });
  }

  private void show(Operator.Done done) {
    dataCommand.say(
        "%s: %s → pending, %s queued again%s"
            .formatted(
                done.domain(),
                done.before(),
                Words.count(done.requeued(), "URL"),
                OperatorName.claim(done)));
    if (done.requeued() == 0 && !all) {
      dataCommand.say("No finished seed was among its URLs; --all queues every URL that is known.");
    }
  }
}
