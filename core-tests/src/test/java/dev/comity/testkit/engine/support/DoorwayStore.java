package dev.comity.testkit.engine.support;

import dev.comity.core.policy.DomainState;
import dev.comity.core.port.queue.ForwardingStore;
import dev.comity.core.port.run.Outlook;
import dev.comity.core.port.run.RunEnding;
import dev.comity.core.port.run.Wanted;
import dev.comity.core.port.source.SourceTurn;
import dev.comity.core.port.source.SourceWaits;
import dev.comity.core.port.store.Borrowing;
import dev.comity.core.port.store.Claim;
import dev.comity.core.port.store.CrawlStore;
import dev.comity.core.port.store.Ending;
import dev.comity.core.port.store.Frontier;
import dev.comity.core.port.store.Note;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.port.store.Renewal;
import dev.comity.core.port.store.RobotsCopy;
import dev.comity.core.port.store.Settlement;
import dev.comity.core.port.store.Written;
import dev.comity.core.schedule.SourcePace;
import dev.comity.core.url.Authority;
import dev.comity.core.url.DomainName;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * A store with someone at the door: before and after every call something else may happen first.
 * Time passes, a claim is lost, the store breaks.
 */
public final class DoorwayStore extends ForwardingStore implements Frontier {
  /** What is being called. */
  public enum Door {
    ADD,
    CLAIM,
    OUTLOOK,
    END,
    RENEW,
    ROBOTS,
    NEXT,
    SETTLE,
    RECORD,
    RELEASE,
    TAKE_BACK,
    TURN
  }

  /** Who stands there. */
  public interface Keeper {
    default void before(Door door, Optional<Claim> claim) {}

    default void after(Door door, Optional<Claim> claim) {}

    /** These were claimed just now. */
    default void granted(List<Claim> claims) {}

    /** This came of renewing those just now. */
    default void renewed(Collection<Claim> claims, Renewal renewal) {}

    /** The frontier was empty just now. */
    default void foundEmpty(Claim claim) {}

    /** The store is to wait no longer for what keeps it from writing. */
    default void hurried() {}
  }

  private final Keeper keeper;

  public DoorwayStore(CrawlStore inner, Keeper keeper) {
    super(inner);
    this.keeper = keeper;
  }

  private interface Call<T> {
    T make();
  }

  private <T> T through(Door door, Optional<Claim> claim, Call<T> call) {
    keeper.before(door, claim);
    T answer = call.make();
    keeper.after(door, claim);
    return answer;
  }

  private void through(Door door, Optional<Claim> claim, Runnable call) {
    keeper.before(door, claim);
    call.run();
    keeper.after(door, claim);
  }

  @Override
  public void hurry() {
    keeper.hurried();
    inner.hurry();
  }

  @Override
  public Renewal renew(Collection<Claim> claims, Instant now) {
    return through(
        Door.RENEW,
        Optional.empty(),
        () -> {
          Renewal renewal = inner.renew(claims, now);
          keeper.renewed(claims, renewal);
          return renewal;
        });
  }

  @Override
  public Optional<RobotsCopy> robots(Authority authority) {
    return through(Door.ROBOTS, Optional.empty(), () -> inner.robots(authority));
  }

  @Override
  public Optional<RobotsCopy> tdmRep(Authority authority) {
    return through(Door.ROBOTS, Optional.empty(), () -> inner.tdmRep(authority));
  }

  @Override
  public int add(List<QueuedUrl> urls, Instant now) {
    return through(Door.ADD, Optional.empty(), () -> inner.add(urls, now));
  }

  @Override
  public List<Claim> claim(int most, Instant now, Wanted wanted) {
    return through(
        Door.CLAIM,
        Optional.empty(),
        () -> {
          List<Claim> claims = inner.claim(most, now, wanted);
          keeper.granted(claims);
          return claims;
        });
  }

  @Override
  public Borrowing borrow(DomainName domain, Instant now) {
    return through(
        Door.CLAIM,
        Optional.empty(),
        () -> {
          Borrowing borrowing = inner.borrow(domain, now);
          if (borrowing instanceof Borrowing.Lent(var claim)) {
            keeper.granted(List.of(claim));
          }
          return borrowing;
        });
  }

  @Override
  public Outlook outlook(Instant now, Wanted wanted) {
    return through(Door.OUTLOOK, Optional.empty(), () -> inner.outlook(now, wanted));
  }

  @Override
  public boolean end(RunEnding ending, Instant now) {
    return through(Door.END, Optional.empty(), () -> inner.end(ending, now));
  }

  @Override
  public SourcePace pace(String source) {
    return through(Door.TURN, Optional.empty(), () -> inner.pace(source));
  }

  @Override
  public SourceTurn takeTurn(String source, Instant now) {
    return through(Door.TURN, Optional.empty(), () -> inner.takeTurn(source, now));
  }

  @Override
  public Frontier frontier() {
    return this;
  }

  @Override
  public Next next(Claim claim, Instant now, Wanted wanted, SourceWaits waits) {
    return through(
        Door.NEXT, Optional.of(claim), () -> inner.frontier().next(claim, now, wanted, waits));
  }

  @Override
  public boolean isEmpty(Claim claim, Wanted wanted) {
    boolean empty = inner.frontier().isEmpty(claim, wanted);
    if (empty) {
      keeper.foundEmpty(claim);
    }
    return empty;
  }

  @Override
  public Written settle(Claim claim, List<Settlement> settlements) {
    return through(Door.SETTLE, Optional.of(claim), () -> inner.settle(claim, settlements));
  }

  @Override
  public Written record(Claim claim, Note note) {
    return through(Door.RECORD, Optional.of(claim), () -> inner.record(claim, note));
  }

  @Override
  public void release(Claim claim, DomainState state, Ending ending, Instant now) {
    through(Door.RELEASE, Optional.of(claim), () -> inner.release(claim, state, ending, now));
  }

  @Override
  public void takeBack(DomainName domain, long token, UnaryOperator<DomainState> change) {
    through(Door.TAKE_BACK, Optional.empty(), () -> inner.takeBack(domain, token, change));
  }
}
