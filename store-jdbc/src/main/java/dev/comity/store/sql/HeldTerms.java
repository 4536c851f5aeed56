package dev.comity.store.sql;

import dev.comity.core.port.store.OperatorTerms;

/** The operator's terms of a held domain, as far as this process knows. */
public final class HeldTerms {
  private final long domain;
  private volatile OperatorTerms known;

  /** The operators' signal when they were read. */
  private volatile long signal;

  /** How often other writers had written when they were read. Only the writer's thread uses it. */
  private long overtaken = -1;

  /**
   * @param signal the operators' signal in the transaction that read these terms
   */
  public HeldTerms(long domain, OperatorTerms known, long signal) {
    this.domain = domain;
    this.known = known;
    this.signal = signal;
  }

  public OperatorTerms known() {
    return known;
  }

  /** Whether no operator has changed anything since they were read. */
  public boolean areCurrent(long now) {
    return signal == now;
  }

  /** The row has these terms. Runs in the writer's thread. */
  public void set(OperatorTerms terms) {
    known = terms;
  }

  /** Reads them again if others have written since. Runs in the writer's thread. */
  public void read(Statements sql, long written, long now) {
    if (overtaken != written) {
      known = TermsColumns.of(sql, domain).orElse(known);
      overtaken = written;
    }
    signal = now;
  }
}
