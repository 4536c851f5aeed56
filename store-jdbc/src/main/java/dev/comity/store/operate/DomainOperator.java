package dev.comity.store.operate;

import dev.comity.store.operate.Operator.OperatorResult;
import java.time.Instant;
import java.util.Optional;

/** What an operator decides about single domains, beside running crawls. */
public interface DomainOperator {

  /**
   * Gives a domain a fresh start: pending, with nothing held against it, its seeds queued again.
   * What kind of address its seeds had is forgotten, and that they were named.
   *
   * @param all whether every URL that is known is queued again
   * @return empty if there is no such domain
   */
  Optional<OperatorResult> reset(String domain, boolean all, Optional<String> reason, Instant now);

  /**
   * Closes a domain until it is reset.
   *
   * @return empty if there is no such domain
   */
  Optional<OperatorResult> block(String domain, String reason, Instant now);

  /**
   * Says that templates are no traps, so that their URLs are asked again.
   *
   * @param template one of them; none: all that are suppressed
   * @return empty if there is no such domain or no such template
   */
  Optional<OperatorResult> lift(String domain, Optional<String> template, Instant now);
}
