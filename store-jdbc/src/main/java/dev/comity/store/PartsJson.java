package dev.comity.store;

import static dev.comity.core.policy.DomainState.FRESH;

import dev.comity.core.policy.ClosedFor;
import dev.comity.core.policy.DomainStatus;
import dev.comity.core.policy.Doors;
import dev.comity.core.policy.Doors.Move;
import dev.comity.core.policy.Heard;
import dev.comity.core.policy.Latency;
import dev.comity.core.policy.Limits;
import dev.comity.core.policy.Slots;
import dev.comity.core.policy.Standing;
import dev.comity.core.policy.Turn;
import dev.comity.core.url.Authority;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** The small parts of a domain's state, as JSON. */
final class PartsJson {
  private PartsJson() {}

  static void writeStanding(FieldWriter out, Standing standing) {
    out.name("status", standing.status(), FRESH.standing().status());
    out.name("reason", standing.reason());
    out.time("until", standing.until());
    out.count("setbacks", standing.setbacks());
  }

  static Standing readStanding(FieldReader in) {
    DomainStatus status = FRESH.standing().status();
    Optional<ClosedFor> reason = Optional.empty();
    Optional<Instant> until = Optional.empty();
    int setbacks = 0;
    in.open();
    while (in.nextField()) {
      switch (in.key()) {
        case "status" -> status = in.name(DomainStatus.class);
        case "reason" -> reason = Optional.of(in.name(ClosedFor.class));
        case "until" -> until = Optional.of(in.time());
        case "setbacks" -> setbacks = in.count();
        default -> in.skip();
      }
    }
    return new Standing(status, reason, until, setbacks);
  }

  static void writeLimits(FieldWriter out, Limits limits) {
    out.span("minimum", limits.minimum());
    out.span("crawl_delay", limits.crawlDelay());
    out.count("concurrency", limits.concurrency().orElse(0)); // It is at least 1 where it is set.
  }

  static Limits readLimits(FieldReader in) {
    Optional<Duration> minimum = Optional.empty();
    Duration crawlDelay = Duration.ZERO;
    OptionalInt concurrency = OptionalInt.empty();
    in.open();
    while (in.nextField()) {
      switch (in.key()) {
        case "minimum" -> minimum = Optional.of(in.span());
        case "crawl_delay" -> crawlDelay = in.span();
        case "concurrency" -> concurrency = OptionalInt.of(in.count());
        default -> in.skip();
      }
    }
    return new Limits(minimum, crawlDelay, concurrency);
  }

  static void writeSlots(FieldWriter out, Slots slots) {
    out.time("last_start", slots.lastStart());
    out.time("rest_until", slots.restUntil());
    out.name("why", slots.why(), FRESH.slots().why());
  }

  static Slots readSlots(FieldReader in) {
    Instant lastStart = Slots.NEVER;
    Instant restUntil = Slots.NEVER;
    Turn.Why why = FRESH.slots().why();
    in.open();
    while (in.nextField()) {
      switch (in.key()) {
        case "last_start" -> lastStart = in.time();
        case "rest_until" -> restUntil = in.time();
        case "why" -> why = in.name(Turn.Why.class);
        default -> in.skip();
      }
    }
    return new Slots(lastStart, restUntil, why);
  }

  static void writeLatency(FieldWriter out, Latency latency) {
    out.count("samples", latency.samples());
    out.span("average", latency.average());
    out.span("high", latency.high());
  }

  static Latency readLatency(FieldReader in) {
    int samples = 0;
    Duration average = Duration.ZERO;
    Duration high = Duration.ZERO;
    in.open();
    while (in.nextField()) {
      switch (in.key()) {
        case "samples" -> samples = in.count();
        case "average" -> average = in.span();
        case "high" -> high = in.span();
        default -> in.skip();
      }
    }
    return new Latency(samples, average, high);
  }

  static void writeHeard(FieldWriter out, Heard heard) {
    out.time("last_answer", heard.lastAnswer());
    out.time("last_success", heard.lastSuccess());
    if (heard.by().isPresent()) {
      out.text("by", heard.by().get());
    }
    out.flag("several", heard.several());
    out.list("secure", heard.doors().secure(), FieldWriter::text);
    out.list(
        "moves", heard.doors().moves(), (each, move) -> each.object(move, PartsJson::writeMove));
    out.time("refused_since", heard.refusedSince());
    out.time("served_since", heard.servedSince());
  }

  static Heard readHeard(FieldReader in) {
    Instant lastAnswer = Slots.NEVER;
    Instant lastSuccess = Slots.NEVER;
    Optional<Authority> by = Optional.empty();
    boolean several = false;
    List<String> secure = List.of();
    List<Move> moves = List.of();
    Instant refusedSince = Slots.NEVER;
    Instant servedSince = Slots.NEVER;
    in.open();
    while (in.nextField()) {
      switch (in.key()) {
        case "last_answer" -> lastAnswer = in.time();
        case "last_success" -> lastSuccess = in.time();
        case "by" -> by = Optional.of(in.authority());
        case "several" -> several = in.flag();
        case "secure" -> secure = in.list(FieldReader::text);
        case "moves" -> moves = in.list(PartsJson::readMove);
        case "refused_since" -> refusedSince = in.time();
        case "served_since" -> servedSince = in.time();
        default -> in.skip();
      }
    }
    return new Heard(
        lastAnswer, lastSuccess, by, several, new Doors(secure, moves), refusedSince, servedSince);
  }

  private static void writeMove(FieldWriter out, Move move) {
    out.text("from", move.from());
    out.text("to", move.to());
  }

  private static Move readMove(FieldReader in) {
    @Nullable Authority from = null;
    @Nullable Authority to = null;
    in.open();
    while (in.nextField()) {
      switch (in.key()) {
        case "from" -> from = in.authority();
        case "to" -> to = in.authority();
        default -> in.skip();
      }
    }
    return new Move(in.required(from, "from"), in.required(to, "to"));
  }
}
