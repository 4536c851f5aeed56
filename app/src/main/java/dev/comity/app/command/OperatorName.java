package dev.comity.app.command;

import dev.comity.app.settings.DataOption;
import dev.comity.app.settings.Settings;
import dev.comity.app.text.Fields;
import dev.comity.app.text.Visible;
import dev.comity.core.policy.DomainPolicy;
import dev.comity.store.operate.Operator;

/** Who does what people do to domains, and how it is said. */
final class OperatorName {
  private OperatorName() {}

  /** The name the audit keeps. */
  static String ours() {
    return System.getProperty("user.name", "operator");
  }

  /** An operator with the rules that a crawl started here would use. */
  static Operator of(DataOption data, Settings settings) {
    return new Operator(data.directory(), ours(), new DomainPolicy(settings.policy()));
  }

  static Fields fields(Operator.Done done, String after) {
    return Fields.none()
        .and("domain", done.domain())
        .and("from", done.before())
        .and("to", after)
        .and("ended_claim_of", done.endedClaimOf());
  }

  static String claim(Operator.Done done) {
    return done.endedClaimOf()
        .map(worker -> "; the claim of " + Visible.text(worker) + " is ended")
        .orElse("");
  }
}
