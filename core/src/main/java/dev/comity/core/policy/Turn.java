package dev.comity.core.policy;

import java.time.Instant;

/** What a domain may do now. */
public sealed interface Turn {
  /** Ask for the next URL. */
  record Fetch() implements Turn {}

  /** Wait for that time, or for an answer that changes it. */
  record WaitUntil(Instant at, String why) implements Turn {}

  /** Wait for an answer: enough requests are in flight. */
  record WaitForAnswer() implements Turn {}

  /** Ask nothing more. */
  record Stop(String reason) implements Turn {}
}
