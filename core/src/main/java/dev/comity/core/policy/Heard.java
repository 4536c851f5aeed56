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
 */
public record Heard(
    Instant lastAnswer, Instant lastSuccess, Optional<Authority> by, boolean several) {

  static final Heard NOTHING = new Heard(Slots.NEVER, Slots.NEVER, Optional.empty(), false);

  Heard response(Instant now) {
    return new Heard(now, lastSuccess, by, several);
  }

  Heard success(Instant now) {
    return new Heard(lastAnswer, now, by, several);
  }

  /** The authority of this URL answered. */
  Heard answeredBy(CrawlUrl url) {
    if (several) {
      return this;
    }
    Authority authority = url.authority();
    if (by.isEmpty()) {
      return new Heard(lastAnswer, lastSuccess, Optional.of(authority), false);
    }
    return by.get().equals(authority) ? this : new Heard(lastAnswer, lastSuccess, by, true);
  }

  /** Whether any authority answered but the one of this URL. */
  boolean othersThan(CrawlUrl url) {
    return several || (by.isPresent() && !by.get().equals(url.authority()));
  }

  /** Work begins anew; who answered last time may be gone. */
  Heard anew() {
    return by.isEmpty() ? this : new Heard(lastAnswer, lastSuccess, Optional.empty(), false);
  }
}
