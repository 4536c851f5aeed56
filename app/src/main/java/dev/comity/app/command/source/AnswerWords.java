package dev.comity.app.command.source;

import dev.comity.app.text.Fields;
import dev.comity.app.text.Timestamps;
import dev.comity.core.port.source.AddAnswer;
import dev.comity.core.util.Durations;
import dev.comity.core.util.Printable;
import java.time.Duration;

/** What became of an added URL, as a line and as fields. */
final class AnswerWords {
  private static final double MILLIS = 1000;

  private AnswerWords() {}

  static String line(String url, AddAnswer answer) {
    return "%-9s %s%s".formatted(word(answer), Printable.text(url), remark(answer));
  }

  private static String word(AddAnswer answer) {
    return switch (answer) {
      case AddAnswer.Enqueued _ -> "enqueued";
      case AddAnswer.Duplicate _ -> "duplicate";
      case AddAnswer.Deferred _ -> "deferred";
      case AddAnswer.Refused _ -> "refused";
    };
  }

  private static String remark(AddAnswer answer) {
    return switch (answer) {
      case AddAnswer.Enqueued(var later) ->
          later ? ": the running crawl is about other domains, so the next one asks it" : "";
      case AddAnswer.Duplicate _ -> ": it is known already";
      case AddAnswer.Deferred(var wait, var interval, var last) ->
          ": asked in %d s, for its source starts every %s and last started at %s"
              .formatted(wait, Durations.seconds(interval), Timestamps.second(last));
      case AddAnswer.Refused(var reason) -> ": " + Printable.text(reason);
    };
  }

  static Fields fields(String url, AddAnswer answer) {
    Fields fields = Fields.none().and("url", url).and("answer", word(answer));
    return switch (answer) {
      case AddAnswer.Enqueued(var later) -> fields.and("for_next_crawl", later);
      case AddAnswer.Duplicate _ -> fields;
      case AddAnswer.Deferred deferred ->
          fields
              .and("wait_seconds", deferred.waitSeconds())
              .and("interval_seconds", seconds(deferred.interval()))
              .and("last_start", deferred.lastStart())
              .and("due", deferred.due());
      case AddAnswer.Refused(var reason) -> fields.and("reason", reason);
    };
  }

  static double seconds(Duration interval) {
    return interval.toMillis() / MILLIS;
  }
}
