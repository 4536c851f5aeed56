package dev.comity.core.port.source;

import java.time.Instant;
import java.util.Optional;

/** Which sources have no turn now. A frontier passes over their URLs. Thread-safe. */
@FunctionalInterface
public interface SourceWaits {
  /** No source waits. */
  SourceWaits NONE = (_, _) -> Optional.empty();

  /** When to look at the source again, if none of its URLs may start now. */
  Optional<Instant> until(String source, Instant now);
}
