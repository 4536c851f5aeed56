package dev.comity.core.policy;

import dev.comity.core.url.Authority;
import dev.comity.core.url.CrawlUrl;
import java.time.Instant;
import java.util.Optional;

/**
 * What was heard of a site, and from whom.
 *
 * <p>When it last answered tells a site that is down from a network of ours that is: a domain that
 * nobody ever heard of says nothing about our line. From whom matters because a domain can have
 * several authorities, and one whose robots.txt cannot be had must not close the others.
 *
 * @param lastAnswer when it last sent a response, whatever it said
 * @param lastSuccess when it last served a page
 * @param by an authority that answered since the present work on the domain began
 * @param several whether another one did as well
 * @param doors what is known of its authorities for good
 */
public record Heard(
    Instant lastAnswer, Instant lastSuccess, Optional<Authority> by, boolean several, Doors doors) {

  static final Heard NOTHING =
      new Heard(Slots.NEVER, Slots.NEVER, Optional.empty(), false, Doors.UNKNOWN);

  Heard response(Instant now) {
    return new Heard(now, lastSuccess, by, several, doors);
  }

  Heard success(Instant now) {
    return new Heard(lastAnswer, now, by, several, doors);
  }

  Heard with(Doors other) {
    return DomainState.same(other, doors)
        ? this
        : new Heard(lastAnswer, lastSuccess, by, several, other);
  }

  /** The authority of this URL answered. */
  Heard answeredBy(CrawlUrl url) {
    if (several || isFrom(url)) {
      return this;
    }
    return by.isPresent()
        ? new Heard(lastAnswer, lastSuccess, by, true, doors)
        : new Heard(lastAnswer, lastSuccess, Optional.of(url.authority()), false, doors);
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

  /** Work begins anew; who answered last time may be gone. */
  Heard anew() {
    return by.isEmpty() ? this : new Heard(lastAnswer, lastSuccess, Optional.empty(), false, doors);
  }
}
