package dev.comity.app.command.operate;

import dev.comity.app.command.DataCommand;
import dev.comity.app.process.Exit;
import dev.comity.app.settings.DataOption;
import dev.comity.app.settings.WrongSetting;
import dev.comity.app.text.Words;
import dev.comity.core.port.store.Operations;
import dev.comity.core.port.store.Operations.LiveClaim;
import dev.comity.core.util.Printable;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code comity release-stuck-claims}: ends claims that their workers left behind. */
@Command(
    name = "release-stuck-claims",
    description = {
      "End claims whose lease has ended, so that other workers can claim the domains.",
      "",
      "Works beside a running crawl. A worker that lost its claim writes nothing more under it, and"
          + " the next holder waits one full delay first."
    })
public final class ReleaseStuckClaimsCommand extends DataCommand {
  @Option(
      names = "--force",
      paramLabel = "WORKER",
      description = "End all claims of this worker instead, expired or not.")
  private @Nullable String worker;

  @Override
  protected int answer(DataOption data) {
    Operations operations = OperatorCommand.operations(data);
    List<LiveClaim> ended =
        worker == null ? operations.endExpiredClaims() : forced(operations, worker);
    if (inJson()) {
      ended.forEach(claim -> say(ClaimsCommand.fields(claim)));
    } else {
      ended.forEach(
          claim ->
              say(
                  "%s: the claim of %s is ended"
                      .formatted(claim.domain(), Printable.text(claim.worker()))));
      say(
          ended.isEmpty()
              ? "no claim has expired"
              : Words.count(ended.size(), "claim is", "claims are") + " ended");
      if (ended.isEmpty() && !operations.claims().isEmpty() && !ClaimsCommand.isCrawled(data)) {
        say(ClaimsCommand.NO_CRAWL);
      }
    }
    return Exit.DONE;
  }

  private static List<LiveClaim> forced(Operations operations, String worker) {
    List<LiveClaim> ended = operations.endClaims(worker);
    if (ended.isEmpty()) {
      throw new WrongSetting(
          "force is %s, but no worker of that name holds a claim; `comity claims` lists them"
              .formatted(Printable.text(worker)));
    }
    return ended;
  }
}
