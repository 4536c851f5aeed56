package dev.comity.store;

import dev.comity.core.outcome.Category;
import dev.comity.core.policy.DomainState;
import dev.comity.core.policy.Failures;
import dev.comity.core.policy.Failures.Counted;
import dev.comity.core.policy.Slots;
import dev.comity.core.url.CrawlUrl;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What went wrong with a domain, as JSON. */
final class FailuresJson {
  private FailuresJson() {}

  static void write(FieldWriter out, Failures failures) {
    out.list(
        "streak",
        failures.streak(),
        (each, counted) -> each.object(counted, FailuresJson::writeCounted));
    out.count("moments", failures.moments());
    out.list("recent", failures.recent(), FieldWriter::time);
    out.name("last", failures.last());
    out.flag("succeeded", failures.succeeded());
    out.list(
        "robots",
        failures.robots(),
        (each, counted) -> each.object(counted, FailuresJson::writeCounted));
    out.list(
        "failing",
        failures.failing(),
        (each, counted) -> each.object(counted, FailuresJson::writeCounted));
  }

  static Failures read(FieldReader in) {
    List<Counted> streak = DomainState.FRESH.failures().streak();
    int moments = 0;
    List<Instant> recent = DomainState.FRESH.failures().recent();
    Optional<Category> last = Optional.empty();
    boolean succeeded = false;
    List<Counted> robots = DomainState.FRESH.failures().robots();
    List<Counted> failing = DomainState.FRESH.failures().failing();
    in.open();
    while (in.nextField()) {
      switch (in.key()) {
        case "streak" -> streak = in.list(FailuresJson::readCounted);
        case "moments" -> moments = in.count();
        case "recent" -> recent = in.list(FieldReader::time);
        case "last" -> last = Optional.of(in.name(Category.class));
        case "succeeded" -> succeeded = in.flag();
        case "robots" -> robots = in.list(FailuresJson::readCounted);
        case "failing" -> failing = in.list(FailuresJson::readCounted);
        default -> in.skip();
      }
    }
    return new Failures(streak, moments, recent, last, succeeded, robots, failing);
  }

  private static void writeCounted(FieldWriter out, Counted counted) {
    out.text("url", counted.url());
    out.time("at", counted.at());
    out.name("category", counted.category());
  }

  private static Counted readCounted(FieldReader in) {
    @Nullable CrawlUrl url = null;
    Instant at = Slots.NEVER;
    @Nullable Category category = null;
    in.open();
    while (in.nextField()) {
      switch (in.key()) {
        case "url" -> url = in.url();
        case "at" -> at = in.time();
        case "category" -> category = in.name(Category.class);
        default -> in.skip();
      }
    }
    return new Counted(in.required(url, "url"), at, in.required(category, "category"));
  }
}
