package dev.comity.store.sql;

import dev.comity.core.policy.DomainState;
import dev.comity.core.url.DomainName;
import dev.comity.store.StoreDamaged;
import java.util.Optional;

/** What was read from a row: a value, or why the row cannot be what this program wrote. */
public sealed interface Stored<T> {
  record Sound<T>(T read) implements Stored<T> {}

  record Damaged<T>(String reason) implements Stored<T> {}

  /** The value, where it could be read. */
  default Optional<T> value() {
    return this instanceof Sound<T>(var read) ? Optional.of(read) : Optional.empty();
  }

  /** What is wrong, where something is. */
  default Optional<String> damage() {
    return this instanceof Damaged<T>(var reason) ? Optional.of(reason) : Optional.empty();
  }

  /** Reads a value; a value that its type refuses is damage. */
  static <T> Stored<T> of(String what, Reading<T> reading) {
    try {
      return new Sound<>(reading.read());
    } catch (StoreDamaged damaged) {
      return new Damaged<>(damaged.wrong());
    } catch (IllegalArgumentException wrong) {
      return new Damaged<>(what + ": " + wrong.getMessage());
    }
  }

  /** Makes a value of stored text. */
  @FunctionalInterface
  interface Reading<T> {
    T read();
  }

  /**
   * A domain's state. It is damaged as well where the row's status is another one.
   *
   * @param resetByHand whether a reset is still to be carried out, so that the status runs ahead
   */
  static Stored<DomainState> state(String name, String text, String status, boolean resetByHand) {
    Optional<String> badName = name(name).damage();
    if (badName.isPresent()) {
      return new Damaged<>(badName.get());
    }
    return of(
        "its state cannot be read",
        () -> {
          DomainState state = DomainStateJson.decode(text);
          String said = StateColumns.status(state.standing().status());
          if (!resetByHand && !said.equals(status)) {
            throw new StoreDamaged(
                "its status is " + status + ", its state says " + said, StoreDamaged.RESET, text);
          }
          return state;
        });
  }

  /** The state of a domain, if it is known and can be read. */
  static Optional<DomainState> stateOf(Statements sql, DomainName domain) {
    return sql.first(
            "SELECT policy_state, status, reset_by_hand FROM domains WHERE domain = ?",
            row -> state(domain.name(), row.getString(1), row.getString(2), row.getBoolean(3)),
            domain.name())
        .flatMap(Stored::value);
  }

  /** A domain's name. */
  static Stored<DomainName> name(String name) {
    return of("its name cannot be read", () -> new DomainName(name));
  }
}
