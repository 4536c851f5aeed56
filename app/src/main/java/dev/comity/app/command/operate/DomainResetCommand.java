package dev.comity.app.command.operate;

import dev.comity.app.text.Fields;
import dev.comity.app.text.Words;
import dev.comity.store.operate.DomainOperator;
import dev.comity.store.operate.Operator;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code comity domain-reset NAME}: a fresh start for a domain, also while it is crawled. */
@Command(
    name = "domain-reset",
    description = {
      "Reset a domain: it is pending again, its failures are forgotten, and its seeds are queued"
          + " again. Its learned delay stays.",
      "",
      "Works beside a running crawl: a worker that holds the domain loses it."
    })
public final class DomainResetCommand extends OperatorCommand {
  @Option(names = "--all", description = "Queue every known URL again, not only the seeds.")
  private boolean all;

  @Option(names = "--reason", paramLabel = "TEXT", description = "Why, for the record.")
  private @Nullable String reason;

  @Override
  Operator.OperatorResult operate(DomainOperator operator, String domain, Instant now) {
    return operator.reset(domain, all, Optional.ofNullable(reason), now).orElseThrow();
  }

  @Override
  Fields fields(Operator.OperatorResult done) {
    return fields(done, "pending").and("requeued", done.requeued());
  }

  @Override
  void show(Operator.OperatorResult done) {
    say(
        "%s: %s → pending, %s queued again%s"
            .formatted(
                done.domain(), done.before(), Words.count(done.requeued(), "URL"), claim(done)));
    if (done.requeued() == 0 && !all) {
      say("No finished seed was among its URLs; --all queues every URL that is known.");
    }
  }
}
