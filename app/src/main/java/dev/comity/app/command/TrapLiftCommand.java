package dev.comity.app.command;

import dev.comity.app.process.Exit;
import dev.comity.app.settings.WrongSetting;
import dev.comity.app.text.Visible;
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
import picocli.CommandLine.Parameters;

/** {@code comity trap-lift NAME}: what was taken for a trap is none. */
@Command(
    name = "trap-lift",
    description = {
      "Ask again for URLs that were taken for a trap: a template of them brought nothing new. What"
          + " is lifted is never suppressed again.",
      "",
      "Works beside a running crawl: whoever holds the domain loses it and takes it up anew."
    })
public final class TrapLiftCommand implements Callable<Integer> {
  @Mixin private DataCommand dataCommand = new DataCommand();

  @Parameters(
      index = "0",
      paramLabel = "NAME",
      description = "The domain, in any spelling of its host.")
  private String name = "";

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "TEMPLATE",
      description = "The template as comity domain shows it; all that are suppressed if not given.")
  private @Nullable String template;

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
                  .lift(domain.name(), Optional.ofNullable(template), Instant.now())
                  .orElseThrow(() -> nothing(domain.name()));
          if (dataCommand.inJson()) {
            dataCommand.say(
                OperatorName.fields(done, done.before()).and("requeued", done.requeued()));
          } else {
            dataCommand.say(
                "%s: %s queued again%s"
                    .formatted(
                        done.domain(),
                        Words.count(done.requeued(), "URL"),
                        OperatorName.claim(done)));
          }
          return Exit.DONE;
        });
  }

  private WrongSetting nothing(String domain) {
    return new WrongSetting(
        template == null
            ? "nothing of " + domain + " is suppressed"
            : "no suppressed template of %s is %s; `comity domain %s` lists them"
                .formatted(domain, Visible.text(template), domain));
  }
}
