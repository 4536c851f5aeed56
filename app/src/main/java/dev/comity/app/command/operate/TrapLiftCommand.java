package dev.comity.app.command.operate;

import dev.comity.app.settings.WrongSetting;
import dev.comity.app.text.Fields;
import dev.comity.app.text.Words;
import dev.comity.core.util.Printable;
import dev.comity.store.operate.DomainOperator;
import dev.comity.store.operate.Operator;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code comity trap-lift NAME}: queues suppressed URLs again. */
@Command(
    name = "trap-lift",
    description = {
      "Queue URLs again that were suppressed as a trap. A lifted template is never suppressed"
          + " again.",
      "",
      "Works beside a running crawl: a worker that holds the domain loses it and claims it anew."
    })
public final class TrapLiftCommand extends OperatorCommand {
  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "TEMPLATE",
      description = "The template as comity domain shows it; all that are suppressed if not given.")
  private @Nullable String template;

  @Override
  Operator.OperatorResult operate(DomainOperator operator, String domain, Instant now) {
    return operator
        .lift(domain, Optional.ofNullable(template), now)
        .orElseThrow(() -> nothing(domain));
  }

  @Override
  Fields fields(Operator.OperatorResult done) {
    return fields(done, done.before()).and("requeued", done.requeued());
  }

  @Override
  void show(Operator.OperatorResult done) {
    say(
        "%s: %s queued again%s"
            .formatted(done.domain(), Words.count(done.requeued(), "URL"), claim(done)));
  }

  private WrongSetting nothing(String domain) {
    return new WrongSetting(
        template == null
            ? "nothing of " + domain + " is suppressed"
            : "no suppressed template of %s is %s; `comity domain %s` lists them"
                .formatted(domain, Printable.text(template), domain));
  }
}
