package dev.comity.app.output;

import dev.comity.app.settings.Settings;
import dev.comity.app.text.Fields;
import dev.comity.app.text.Words;
import dev.comity.store.report.DomainRecord;
import dev.comity.store.report.RequestRecord;
import dev.comity.store.report.TransitionRecord;
import java.time.Duration;
import java.util.List;

/** A domain and what happened to it, by name: as JSON, as CSV. */
public final class DomainFields {
  /** The column names of a domain, in order; the header of an empty table. */
  public static final List<String> NAMES =
      List.of(
          "domain",
          "parent_domain",
          "status",
          "reason_code",
          "reason",
          "until",
          "first_blocked_at",
          "cooldowns",
          "damage",
          "claimed_by",
          "claim_expires_at",
          "claim_token",
          "version",
          "unclean",
          "spent_run",
          "priority",
          "paused",
          "min_interval_ms",
          "max_concurrency",
          "max_pages",
          "discovered",
          "unfinished",
          "done",
          "failed",
          "denied",
          "set_aside",
          "suppressed",
          "links_suppressed",
          "skipped",
          "over_cap",
          "pages",
          "requests",
          "errors",
          "errors_in_a_row",
          "depth_reached",
          "images_found",
          "images_stored",
          "image_yield",
          "delay_ms",
          "crawl_delay_ms",
          "learned_delay_ms",
          "floor_ms",
          "refused_delay_ms",
          "not_before",
          "successes_in_a_row",
          "refusals_in_a_row",
          "latency_average_ms",
          "latency_p95_ms",
          "first_seen_at",
          "last_start_at",
          "last_success_at",
          "last_crawled_at",
          "last_run",
          "updated_at",
          "source");

  /** The names of a request. */
  public static final List<String> REQUEST_NAMES =
      List.of(
          "id",
          "run",
          "domain",
          "url",
          "attempt",
          "kind",
          "type",
          "token",
          "started_at",
          "finished_at",
          "first_byte_ms",
          "delay_ms",
          "status",
          "location",
          "outcome",
          "fate",
          "page",
          "error",
          "bytes",
          "detail");

  private DomainFields() {}

  public static Fields of(DomainRecord domain) {
    Fields named =
        Fields.none()
            .and("domain", domain.name())
            .and("parent_domain", domain.parent())
            .and("status", Words.of(domain.standing().status()))
            .and("reason_code", domain.standing().reasonCode())
            .and("reason", domain.standing().reason())
            .and("until", domain.standing().until())
            .and("first_blocked_at", domain.standing().firstBlockedAt())
            .and("cooldowns", domain.standing().cooldowns())
            .and("damage", domain.damage());
    return times(asking(counts(holding(named, domain), domain), domain), domain)
        .and("source", domain.origin());
  }

  private static Fields holding(Fields fields, DomainRecord domain) {
    DomainRecord.Holding holding = domain.holding();
    return fields
        .and("claimed_by", holding.worker())
        .and("claim_expires_at", holding.until())
        .and("claim_token", holding.token())
        .and("version", holding.version())
        .and("unclean", holding.unclean())
        .and("spent_run", holding.spentRun())
        .and("priority", holding.priority())
        .and("paused", domain.terms().paused())
        .and("min_interval_ms", domain.terms().minimum())
        .and("max_concurrency", domain.terms().concurrency())
        .and("max_pages", domain.terms().maxPages());
  }

  private static Fields counts(Fields fields, DomainRecord domain) {
    DomainRecord.DomainCounts counts = domain.counts();
    return fields
        .and("discovered", counts.discovered())
        .and("unfinished", counts.unfinished())
        .and("done", counts.done())
        .and("failed", counts.failed())
        .and("denied", counts.denied())
        .and("set_aside", counts.setAside())
        .and("suppressed", counts.suppressed())
        .and("links_suppressed", counts.linksSuppressed())
        .and("skipped", counts.skipped())
        .and("over_cap", counts.overCap())
        .and("pages", counts.pages())
        .and("requests", counts.requests())
        .and("errors", counts.errors())
        .and("errors_in_a_row", counts.errorsInARow())
        .and("depth_reached", counts.depth())
        .and("images_found", counts.imagesFound())
        .and("images_stored", counts.imagesStored())
        .and("image_yield", counts.imageYield());
  }

  private static Fields asking(Fields fields, DomainRecord domain) {
    DomainRecord.Pacing pacing = domain.pacing();
    return fields
        .and("delay_ms", delay(domain))
        .and("crawl_delay_ms", pacing.crawlDelay())
        .and("learned_delay_ms", pacing.learned())
        .and("floor_ms", pacing.floor())
        .and("refused_delay_ms", pacing.refused())
        .and("not_before", pacing.notBefore())
        .and("successes_in_a_row", pacing.successesInARow())
        .and("refusals_in_a_row", pacing.refusalsInARow())
        .and("latency_average_ms", pacing.latencyAverage())
        .and("latency_p95_ms", pacing.latencyHigh());
  }

  private static Fields times(Fields fields, DomainRecord domain) {
    DomainRecord.Times times = domain.times();
    return fields
        .and("first_seen_at", times.firstSeen())
        .and("last_start_at", times.lastStart())
        .and("last_success_at", times.lastSuccess())
        .and("last_crawled_at", times.lastCrawled())
        .and("last_run", times.lastRun())
        .and("updated_at", times.updated());
  }

  /** The longest of what is set, asked for and learned. */
  public static Duration delay(DomainRecord domain) {
    Duration minimum = minimum(domain, Settings.DEFAULT.minimumInterval());
    Duration learned = domain.pacing().learned();
    Duration asked = domain.pacing().crawlDelay();
    Duration longer = learned.compareTo(asked) > 0 ? learned : asked;
    return longer.compareTo(minimum) > 0 ? longer : minimum;
  }

  /**
   * Set by the operator, for the domain, or for the run that asked it last; where nothing is, the
   * usual one.
   */
  public static Duration minimum(DomainRecord domain, Duration usual) {
    return domain
        .terms()
        .minimum()
        .or(domain.remembered().limits()::minimum)
        .or(domain.pacing()::runMinimum)
        .orElse(usual);
  }

  public static Fields of(TransitionRecord transition) {
    return Fields.none()
        .and("at", transition.at())
        .and("from", transition.from())
        .and("to", transition.to())
        .and("door", transition.door())
        .and("token", transition.token())
        .and("reason", transition.reason())
        .and("worker", transition.worker());
  }

  public static Fields of(RequestRecord request) {
    return Fields.none()
        .and("id", request.id())
        .and("run", request.run())
        .and("domain", request.domain())
        .and("url", request.url())
        .and("attempt", request.attempt())
        .and("kind", request.kind())
        .and("type", request.type())
        .and("token", request.token())
        .and("started_at", request.startedAt())
        .and("finished_at", request.finishedAt())
        .and("first_byte_ms", request.firstByte())
        .and("delay_ms", request.delay())
        .and("status", request.status())
        .and("location", request.location())
        .and("outcome", request.outcome())
        .and("fate", request.fate())
        .and("page", request.isPage())
        .and("error", request.isError())
        .and("bytes", request.bytes())
        .and("detail", request.error());
  }
}
