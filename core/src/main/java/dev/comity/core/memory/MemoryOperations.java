package dev.comity.core.memory;

import dev.comity.core.policy.lifecycle.DomainStatus;
import dev.comity.core.port.store.Operations;
import dev.comity.core.port.store.OperatorTerms;
import dev.comity.core.url.DomainName;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** What operators do with a store in memory, which keeps no audit. */
final class MemoryOperations implements Operations {
  private final Tables tables;

  MemoryOperations(Tables tables) {
    this.tables = tables;
  }

  @Override
  public Optional<OperatorTerms> terms(DomainName domain) {
    synchronized (tables) {
      return tables.domains.find(domain).map(row -> row.terms);
    }
  }

  @Override
  public Optional<TermsChange> setTerms(DomainName domain, UnaryOperator<OperatorTerms> change) {
    synchronized (tables) {
      return tables.domains.find(domain).map(row -> set(row, change));
    }
  }

  @Override
  public List<TermsChange> setTerms(DomainStatus status, UnaryOperator<OperatorTerms> change) {
    synchronized (tables) {
      return tables.domains.all().stream()
          .filter(row -> row.state.standing().status() == status)
          .map(row -> set(row, change))
          .filter(one -> !one.before().equals(one.after()))
          .toList();
    }
  }

  @Override
  public List<TermsChange> wouldSet(DomainStatus status, UnaryOperator<OperatorTerms> change) {
    synchronized (tables) {
      return tables.domains.all().stream()
          .filter(row -> row.state.standing().status() == status)
          .map(row -> new TermsChange(row.name, row.terms, change.apply(row.terms)))
          .filter(one -> !one.before().equals(one.after()))
          .toList();
    }
  }

  private TermsChange set(DomainRow row, UnaryOperator<OperatorTerms> change) {
    tables.operated = true;
    OperatorTerms before = row.terms;
    row.terms = change.apply(before);
    if (!row.terms.maxPages().equals(before.maxPages())) {
      row.openAgain(tables.run.number());
    }
    return new TermsChange(row.name, before, row.terms);
  }

  @Override
  public List<LiveClaim> claims() {
    synchronized (tables) {
      return live().toList();
    }
  }

  private Stream<LiveClaim> live() {
    return tables.domains.all().stream().flatMap(row -> row.live().stream());
  }

  @Override
  public List<LiveClaim> endExpiredClaims() {
    synchronized (tables) {
      Instant now = tables.now();
      tables.operated = true;
      List<LiveClaim> expired = live().filter(claim -> !now.isBefore(claim.expires())).toList();
      tables.sweepClaims();
      return expired;
    }
  }

  @Override
  public List<LiveClaim> endClaims(String worker) {
    synchronized (tables) {
      tables.operated = true;
      List<LiveClaim> ended = live().filter(claim -> claim.worker().equals(worker)).toList();
      tables.domains.all().forEach(row -> row.endClaimOf(worker));
      return ended;
    }
  }

  @Override
  public void recalculatePriorities() {
    synchronized (tables) {
      tables.domains.all().forEach(row -> row.recalculate(tables.now()));
    }
  }
}
