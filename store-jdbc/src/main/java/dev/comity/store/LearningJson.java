package dev.comity.store;

import dev.comity.core.policy.DomainState;
import dev.comity.core.policy.Learning;
import dev.comity.core.policy.Learning.Incident;
import dev.comity.core.policy.Learning.Probe;
import dev.comity.core.policy.Learning.Recheck;
import dev.comity.core.policy.Learning.Verdict;
import dev.comity.core.policy.Slots;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What a domain's refusals have taught, as JSON. */
final class LearningJson {
  private static final Recheck NONE = DomainState.FRESH.learning().recheck();

  private LearningJson() {}

  static void write(FieldWriter out, Learning learning) {
    out.span("learned", learning.learned());
    out.span("refused", learning.refused());
    out.span("floor", learning.floor());
    out.span("came_from", learning.cameFrom());
    out.span("suspect", learning.suspect());
    out.count("row", learning.row());
    out.count("savings", learning.savings());
    out.part("probe", learning.probe(), LearningJson::writeProbe);
    out.part("incident", learning.incident(), LearningJson::writeIncident);
    out.time("last_refusal", learning.lastRefusal());
    out.part("recheck", learning.recheck(), NONE, LearningJson::writeRecheck);
  }

  static Learning read(FieldReader in) {
    Duration learned = Duration.ZERO;
    Optional<Duration> refused = Optional.empty();
    Optional<Duration> floor = Optional.empty();
    Optional<Duration> cameFrom = Optional.empty();
    Optional<Duration> suspect = Optional.empty();
    int row = 0;
    int savings = 0;
    Optional<Probe> probe = Optional.empty();
    Optional<Incident> incident = Optional.empty();
    Instant lastRefusal = Slots.NEVER;
    Recheck recheck = NONE;
    in.open();
    while (in.nextField()) {
      switch (in.key()) {
        case "learned" -> learned = in.span();
        case "refused" -> refused = Optional.of(in.span());
        case "floor" -> floor = Optional.of(in.span());
        case "came_from" -> cameFrom = Optional.of(in.span());
        case "suspect" -> suspect = Optional.of(in.span());
        case "row" -> row = in.count();
        case "savings" -> savings = in.count();
        case "probe" -> probe = Optional.of(readProbe(in));
        case "incident" -> incident = Optional.of(readIncident(in));
        case "last_refusal" -> lastRefusal = in.time();
        case "recheck" -> recheck = readRecheck(in);
        default -> in.skip();
      }
    }
    return new Learning(
        learned,
        refused,
        floor,
        cameFrom,
        suspect,
        row,
        savings,
        probe,
        incident,
        lastRefusal,
        recheck);
  }

  private static void writeProbe(FieldWriter out, Probe probe) {
    out.span("from", probe.from());
    out.count("saved_before", probe.savedBefore());
    out.flag("retry", probe.retry());
  }

  private static Probe readProbe(FieldReader in) {
    Duration from = Duration.ZERO;
    int savedBefore = 0;
    boolean retry = false;
    in.open();
    while (in.nextField()) {
      switch (in.key()) {
        case "from" -> from = in.span();
        case "saved_before" -> savedBefore = in.count();
        case "retry" -> retry = in.flag();
        default -> in.skip();
      }
    }
    return new Probe(from, savedBefore, retry);
  }

  private static void writeIncident(FieldWriter out, Incident incident) {
    out.count("refusals", incident.refusals());
    out.span("delay", incident.delay());
    out.span("taught", incident.taught());
    out.name("verdict", incident.verdict());
    out.time("opened_at", incident.openedAt());
  }

  private static Incident readIncident(FieldReader in) {
    int refusals = 0;
    Duration delay = Duration.ZERO;
    Duration taught = Duration.ZERO;
    @Nullable Verdict verdict = null;
    Instant openedAt = Slots.NEVER;
    in.open();
    while (in.nextField()) {
      switch (in.key()) {
        case "refusals" -> refusals = in.count();
        case "delay" -> delay = in.span();
        case "taught" -> taught = in.span();
        case "verdict" -> verdict = in.name(Verdict.class);
        case "opened_at" -> openedAt = in.time();
        default -> in.skip();
      }
    }
    return new Incident(refusals, delay, taught, in.required(verdict, "verdict"), openedAt);
  }

  private static void writeRecheck(FieldWriter out, Recheck recheck) {
    out.span("about", recheck.about());
    out.count("doublings", recheck.doublings());
    out.span("recovery", recheck.recovery());
    out.time("since", recheck.since());
    out.count("successes", recheck.successes());
  }

  private static Recheck readRecheck(FieldReader in) {
    Duration about = Duration.ZERO;
    int doublings = 0;
    Duration recovery = Duration.ZERO;
    Instant since = Slots.NEVER;
    int successes = 0;
    in.open();
    while (in.nextField()) {
      switch (in.key()) {
        case "about" -> about = in.span();
        case "doublings" -> doublings = in.count();
        case "recovery" -> recovery = in.span();
        case "since" -> since = in.time();
        case "successes" -> successes = in.count();
        default -> in.skip();
      }
    }
    return new Recheck(about, doublings, recovery, since, successes);
  }
}
