package dev.comity.core.port.run;

/**
 * Thrown when a run cannot begin because an unfinished run on other terms has workers. The run can
 * begin when they have left, or when an operator has ended their claims.
 */
public final class RunInUse extends RuntimeException {

  /** This run has workers. */
  public RunInUse(long run) {
    super(
        "another worker is at run "
            + run
            + ", which has other seeds, scope or budgets; wait for its end, end its claims, or"
            + " begin with --supersede");
  }
}
