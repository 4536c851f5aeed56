package dev.comity.app.command.operate;

import dev.comity.app.command.DataCommand;
import dev.comity.app.process.Exit;
import dev.comity.app.process.Terminal;
import dev.comity.app.settings.DataOption;
import dev.comity.app.text.Fields;
import dev.comity.app.text.Table;
import dev.comity.app.text.Table.Heading;
import dev.comity.app.text.Timestamps;
import dev.comity.app.text.Words;
import dev.comity.core.port.store.Operations.LiveClaim;
import dev.comity.core.util.Printable;
import dev.comity.store.report.StoreReader;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import picocli.CommandLine.Command;

/** {@code comity claims}: which worker holds which domain, and until when. */
@Command(
    name = "claims",
    description = {
      "List the claims that workers hold: domain, worker, token, since when and until when.",
      "",
      "A worker renews its claims while it runs. Claims of a crawl that was killed stay until the"
          + " next crawl takes over."
    })
public final class ClaimsCommand extends DataCommand {
  @Override
  protected int answer(DataOption data) {
    List<LiveClaim> claims = OperatorCommand.operations(data).claims();
    Instant now = Instant.now();
    if (inJson()) {
      claims.forEach(claim -> say(fields(claim).and("expired", isExpired(claim, now))));
    } else if (claims.isEmpty()) {
      say("no claim is held");
    } else {
      show(claims, now, isCrawled(data));
    }
    return Exit.DONE;
  }

  static boolean isCrawled(DataOption data) {
    try (StoreReader reader = data.reader()) {
      return reader.isCrawled();
    }
  }

  private void show(List<LiveClaim> claims, Instant now, boolean crawled) {
    Table table =
        new Table(
            List.of(
                Heading.left("DOMAIN"),
                Heading.left("WORKER"),
                Heading.right("TOKEN"),
                Heading.left("SINCE"),
                Heading.left("EXPIRES")),
            Set.of("SINCE"));
    for (LiveClaim claim : claims) {
      table.row(
          List.of(
              claim.domain().name(),
              Printable.text(claim.worker()),
              Long.toString(claim.token()),
              Timestamps.second(claim.since()),
              Timestamps.second(claim.expires())),
          List.of());
    }
    say(table.lines(Terminal.columns()));
    say(Words.count(claims.size(), "claim"));
    long expired = claims.stream().filter(claim -> isExpired(claim, now)).count();
    if (expired > 0) {
      say(
          "%s expired; `comity release-stuck-claims` ends expired claims"
              .formatted(Words.count(expired, "claim is", "claims are")));
    }
    if (!crawled) {
      say(NO_CRAWL);
    }
  }

  /** Claims without a process. */
  static final String NO_CRAWL = "no crawl is running; the next one takes over what is left";

  private static boolean isExpired(LiveClaim claim, Instant now) {
    return !now.isBefore(claim.expires());
  }

  /** A claim by name. */
  static Fields fields(LiveClaim claim) {
    return Fields.none()
        .and("domain", claim.domain().name())
        .and("worker", claim.worker())
        .and("token", claim.token())
        .and("since", claim.since())
        .and("expires_at", claim.expires());
  }
}
