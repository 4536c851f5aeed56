package dev.comity.app.command.operate;

import dev.comity.app.text.Fields;
import dev.comity.store.operate.DomainOperator;
import dev.comity.store.operate.Operator;
import java.time.Instant;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code comity domain-block NAME}: leaves a domain alone until it is reset. */
@Command(
    name = "domain-block",
    description = "Leave a domain alone until it is reset. Works beside a running crawl.")
public final class DomainBlockCommand extends OperatorCommand {
  @Option(names = "--reason", paramLabel = "TEXT", description = "Why, for the record.")
  private String reason = "no reason given";

  @Override
  Operator.OperatorResult operate(DomainOperator operator, String domain, Instant now) {
    return operator.block(domain, reason, now).orElseThrow();
  }

  @Override
  Fields fields(Operator.OperatorResult done) {
    return fields(done, "blocked");
  }

  @Override
  void show(Operator.OperatorResult done) {
    say(
        "%s: %s → blocked until it is reset%s"
            .formatted(done.domain(), done.before(), claim(done)));
  }
}
