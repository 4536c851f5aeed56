package dev.comity.core.trap;

import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** Parameters by which a site without cookies knows its visitors again. */
final class SessionIds {
  private static final Set<String> ALWAYS =
      Set.of(
          "jsessionid", "phpsessid", "aspsessionid", "cfid", "cftoken", "sessionid", "session_id");

  /**
   * These often name a story or a section, too; only a value too large for a counter is a session.
   */
  private static final Set<String> IF_LONG =
      Set.of("sid", "session", "sess", "s", "oscsid", "zenid");

  private static final int LONG = 16;

  private SessionIds() {}

  /** The parameter's own name, if it is one. */
  static Optional<String> name(String name, String value) {
    String lower = name.toLowerCase(Locale.ROOT);
    boolean is =
        ALWAYS.contains(lower)
            || lower.startsWith("aspsessionid")
            || (IF_LONG.contains(lower) && value.length() >= LONG);
    return is
        ? Optional.of(lower.startsWith("aspsessionid") ? "aspsessionid" : lower)
        : Optional.empty();
  }
}
