package dev.comity.app.command.operate;

import dev.comity.app.command.DataCommand;
import dev.comity.app.process.Exit;
import dev.comity.app.settings.DataOption;
import dev.comity.app.text.Fields;
import dev.comity.core.policy.DomainPolicy;
import dev.comity.core.port.store.Operations;
import dev.comity.core.util.Printable;
import dev.comity.store.open.OpenStore;
import dev.comity.store.operate.DomainOperator;
import dev.comity.store.operate.Operator;
import dev.comity.store.report.StoreReader;
import java.time.Instant;
import picocli.CommandLine.Parameters;

/** A command that changes one domain on behalf of an operator, beside a running crawl too. */
abstract class OperatorCommand extends DataCommand {
  @Parameters(
      index = "0",
      paramLabel = "NAME",
      description = "The domain, in any spelling of its host.")
  private String name = "";

  @Override
  protected final int answer(DataOption data) {
    String domain;
    try (StoreReader reader = data.reader()) {
      domain = known(reader, name).name();
    }
    // The policy of a crawl started here; the audit keeps the user's name.
    DomainOperator operator =
        OpenStore.operator(data.existing(), actor(), new DomainPolicy(settings().policy()));
    Operator.OperatorResult done = operate(operator, domain, Instant.now());
    if (inJson()) {
      say(fields(done));
    } else {
      show(done);
    }
    return Exit.DONE;
  }

  /** The name for the audit. */
  static String actor() {
    return System.getProperty("user.name", "operator");
  }

  /** Operations there, in the name of this user. */
  static Operations operations(DataOption data) {
    return OpenStore.operations(data.existing(), actor());
  }

  /** Makes the change. */
  abstract Operator.OperatorResult operate(DomainOperator operator, String domain, Instant now);

  abstract Fields fields(Operator.OperatorResult done);

  abstract void show(Operator.OperatorResult done);

  /** The fields every answer has. */
  static Fields fields(Operator.OperatorResult done, String after) {
    return Fields.none()
        .and("domain", done.domain())
        .and("from", done.before())
        .and("to", after)
        .and("ended_claim_of", done.endedClaimOf());
  }

  /** Says which worker's claim the change ended, if it ended one. */
  static String claim(Operator.OperatorResult done) {
    return done.endedClaimOf()
        .map(worker -> "; the claim of " + Printable.text(worker) + " is ended")
        .orElse("");
  }
}
