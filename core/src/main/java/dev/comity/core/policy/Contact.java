package dev.comity.core.policy;

import dev.comity.core.url.Authority;
import dev.comity.core.url.CrawlUrl;
import java.time.Instant;
import java.util.Optional;

/**
 * When a site answered, and which of its authorities did.
 *
 * <p>When it last answered tells a site that is down from a network of ours that is: a domain that
 * has never answered says nothing about our line. The authority matters because a domain can have
 * several, and one without a readable robots.txt must not close the others.
 *
 * @param lastAnswer when it last sent a response, whatever it said
 * @param lastSuccess when it last served a page
 * @param by an authority that answered since the present work on the domain began
 * @param several whether another one did as well
 * @param doors what is known of its authorities for good
 * @param refusals how many were counted since a page was last answered: an answered robots.txt or
 *     sitemap ends an incident, but does not show that pages are served
 * @param refusedSince when the first of these refusals arrived
 * @param servedSince when it first served a page after an incident
 */
public record Contact(
    Instant lastAnswer,
    Instant lastSuccess,
    Optional<Authority> by,
    boolean several,
    KnownAuthorities doors,
    int refusals,
    Instant refusedSince,
    Instant servedSince) {

  static final Contact NOTHING =
      new Contact(Slots.NEVER, Slots.NEVER, Optional.empty(), false, KnownAuthorities.UNKNOWN);

  /** What was heard of a site that never refused. */
  public Contact(
      Instant lastAnswer,
      Instant lastSuccess,
      Optional<Authority> by,
      boolean several,
      KnownAuthorities doors) {
    this(lastAnswer, lastSuccess, by, several, doors, 0, Slots.NEVER, Slots.NEVER);
  }

  Contact response(Instant now) {
    return new Contact(now, lastSuccess, by, several, doors, refusals, refusedSince, servedSince);
  }

  /**
   * @param first whether none was served since the site last refused
   */
  Contact success(boolean first, Instant now) {
    Instant since = first ? now : servedSince;
    return new Contact(lastAnswer, now, by, several, doors, refusals, refusedSince, since);
  }

  /** It refused, and the refusal counts. */
  Contact refused(Instant now) {
    Instant since = refusals == 0 ? now : refusedSince;
    return new Contact(
        lastAnswer, lastSuccess, by, several, doors, refusals + 1, since, servedSince);
  }

  /** It answered a page, or the refusals are not held against it any more. */
  Contact withoutRefusals() {
    return refusals == 0
        ? this
        : new Contact(lastAnswer, lastSuccess, by, several, doors, 0, refusedSince, servedSince);
  }

  /** What seems to lie ahead is taken to be now. */
  Contact notAheadOf(Instant now) {
    return refusedSince.isAfter(now) || servedSince.isAfter(now)
        ? new Contact(
            lastAnswer,
            lastSuccess,
            by,
            several,
            doors,
            refusals,
            refusedSince.isAfter(now) ? now : refusedSince,
            servedSince.isAfter(now) ? now : servedSince)
        : this;
  }

  Contact with(KnownAuthorities other) {
    return DomainState.same(other, doors)
        ? this
        : new Contact(
            lastAnswer, lastSuccess, by, several, other, refusals, refusedSince, servedSince);
  }

  /** The authority of this URL answered. */
  Contact answeredBy(CrawlUrl url) {
    if (several || isFrom(url)) {
      return this;
    }
    return by.isPresent()
        ? new Contact(lastAnswer, lastSuccess, by, true, doors, refusals, refusedSince, servedSince)
        : new Contact(
            lastAnswer,
            lastSuccess,
            Optional.of(url.authority()),
            false,
            doors,
            refusals,
            refusedSince,
            servedSince);
  }

  /** Whether any authority answered but the one of this URL. */
  boolean othersThan(CrawlUrl url) {
    return several || (by.isPresent() && !isFrom(url));
  }

  /** Asked after every answer, so the host is compared where it stands and nothing is copied. */
  private boolean isFrom(CrawlUrl url) {
    if (by.isEmpty()) {
      return false;
    }
    Authority authority = by.get();
    String text = url.toString();
    int start = authority.scheme().length() + "://".length();
    int end = start + authority.host().length();
    return authority.port() == url.port()
        && authority.scheme().equals(url.scheme())
        && text.startsWith(authority.host(), start)
        && (text.charAt(end) == '/' || text.charAt(end) == ':');
  }

  /** Work begins anew; an authority that answered last time may be gone. */
  Contact anew() {
    return by.isEmpty()
        ? this
        : new Contact(
            lastAnswer,
            lastSuccess,
            Optional.empty(),
            false,
            doors,
            refusals,
            refusedSince,
            servedSince);
  }
}
