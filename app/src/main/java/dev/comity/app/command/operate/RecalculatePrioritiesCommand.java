package dev.comity.app.command.operate;

import dev.comity.app.command.DataCommand;
import dev.comity.app.process.Exit;
import dev.comity.app.settings.DataOption;
import dev.comity.app.text.Fields;
import dev.comity.app.text.Words;
import dev.comity.store.report.StoreReader;
import picocli.CommandLine.Command;

/** {@code comity recalculate-priorities}: computes the priority of every domain anew. */
@Command(
    name = "recalculate-priorities",
    description = {
      "Compute the priority of every domain anew, by its age, its pages and its errors.",
      "",
      "A crawl does so by itself every hour, and for each domain that it leaves. Works beside a"
          + " running crawl."
    })
public final class RecalculatePrioritiesCommand extends DataCommand {
  @Override
  protected int answer(DataOption data) {
    OperatorCommand.operations(data).recalculatePriorities();
    long domains;
    try (StoreReader reader = data.reader()) {
      domains = reader.statuses().values().stream().mapToLong(Long::longValue).sum();
    }
    if (inJson()) {
      say(Fields.none().and("domains", domains));
    } else {
      say(
          "the priority of %s is recalculated; `comity domains --sort priority` lists them"
              .formatted(Words.count(domains, "domain")));
    }
    return Exit.DONE;
  }
}
