package dev.comity.core.policy;

import dev.comity.core.policy.lifecycle.Standing;
import java.time.Duration;
import java.time.Instant;

/** What a domain's holder should do next. */
public sealed interface Turn {

  /** Start a request now. The delay travels with the attempt. */
  record Fetch(Duration delay) implements Turn {}

  /** Nothing may start before this time. */
  record WaitUntil(Instant at, Why why) implements Turn {}

  /** Nothing may start before something that is under way has happened. */
  record WaitForEvent(Why why) implements Turn {}

  /** The wait is so long that the claim is better given back. */
  record Park(Instant until, Why why) implements Turn {}

  /** The domain is closed. */
  record Stop(Standing standing) implements Turn {}

  /** What is being waited for. */
  enum Why {
    /** The delay since the last start has not passed. */
    DELAY("the delay since the last request has not passed"),
    /** The site refused and we rest. */
    REFUSED("the site refused a request and we rest"),
    /** The site said for how long. */
    RETRY_AFTER("the site said how long to stay away"),
    /** The robots.txt allows requests at other hours. */
    VISIT_TIME("its robots.txt allows requests at other hours"),
    /** Something failed and we rest. */
    FAILED("a request failed and we rest"),
    /** A request is connecting; the slot after it is counted from its start. */
    STARTING("a request is about to start"),
    /** As many requests are in flight as the domain may have. */
    CONCURRENCY("as many requests are in flight as this domain may have"),
    /** After a refusal one request at a time goes out until one succeeds. */
    INCIDENT("one request at a time until one succeeds after a refusal");

    private final String words;

    Why(String words) {
      this.words = words;
    }

    /** Whether the site is left alone for what it did, and not just for its usual delay. */
    public boolean isRest() {
      return this == REFUSED || this == RETRY_AFTER || this == FAILED;
    }

    /** The cause in words. */
    public String words() {
      return words;
    }

    /**
     * The cause in words; of a failure also which request it was and what went wrong, of a visit
     * time also its hours.
     */
    public String words(DomainState state) {
      return switch (this) {
        case FAILED -> state.failures().spoken().orElse(words);
        case VISIT_TIME ->
            state
                .limits()
                .visitTime()
                .map(hours -> "its robots.txt allows requests from " + hours.words())
                .orElse(words);
        default -> words;
      };
    }
  }
}
