package dev.comity.app.command.operate;

import dev.comity.app.command.DataCommand;
import dev.comity.app.process.Exit;
import dev.comity.app.settings.DataOption;
import dev.comity.app.settings.WrongSetting;
import dev.comity.app.text.DurationConverter;
import dev.comity.app.text.Fields;
import dev.comity.app.text.Timestamps;
import dev.comity.app.text.Words;
import dev.comity.store.operate.Pruning;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code comity prune}: deletes old data. */
@Command(
    name = "prune",
    description = {
      "Delete old requests from the log, or other old data. Counters stay correct.",
      "",
      "Works beside a running crawl; only --compact needs the directory or database for itself."
    })
public final class PruneCommand extends DataCommand {
  @Option(
      names = "--older-than",
      paramLabel = "TIME",
      required = true,
      converter = DurationConverter.class,
      description = "Delete what is older than this: 90d, 12h.")
  private Duration age = Duration.ZERO;

  @Option(names = "--log", description = "Requests in the log; the default.")
  private boolean log;

  @Option(names = "--pages-text", description = "The texts of pages; the pages stay.")
  private boolean texts;

  @Option(
      names = "--transitions",
      description = "Changes of status, as far back as each domain's last claim.")
  private boolean transitions;

  @Option(names = "--dry-run", description = "Only say what would be deleted.")
  private boolean dry;

  @Option(
      names = "--compact",
      description = "Give the space back to the system; not while a crawl is running.")
  private boolean compact;

  @Override
  protected int answer(DataOption data) {
    check();
    boolean log = this.log || !(texts || transitions || compact);
    Instant before = before();
    try (Pruning pruning = new Pruning(data.existing(), before, dry)) {
      Long requests = log ? pruning.log() : null;
      Long pages = texts ? pruning.texts() : null;
      Long changes = transitions ? pruning.transitions() : null;
      say(before, requests, pages, changes);
      if (compact) {
        pruning.compact();
      }
    }
    return Exit.DONE;
  }

  private void check() {
    if (dry && compact) {
      throw new WrongSetting("--dry-run changes nothing, so leave --compact out");
    }
  }

  private Instant before() {
    Instant now = Instant.now();
    // Nothing was stored before 1970; a longer time could not be taken from now.
    return age.compareTo(Duration.between(Instant.EPOCH, now)) > 0 ? Instant.EPOCH : now.minus(age);
  }

  private void say(
      Instant before, @Nullable Long requests, @Nullable Long pages, @Nullable Long changes) {
    if (inJson()) {
      Fields fields = Fields.none().and("before", before).and("dry_run", dry);
      fields = requests == null ? fields : fields.and("log", requests);
      fields = pages == null ? fields : fields.and("pages_text", pages);
      say(changes == null ? fields : fields.and("transitions", changes));
      return;
    }
    String verb = (dry ? "would remove " : "removed ");
    String since = " from before " + Timestamps.second(before);
    if (requests != null) {
      say(verb + Words.count(requests, "request") + " of the log" + since);
    }
    if (pages != null) {
      say(verb + "the texts of " + Words.count(pages, "page") + since);
    }
    if (changes != null) {
      say(verb + Words.count(changes, "change") + " of status" + since);
    }
  }
}
