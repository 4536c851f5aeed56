package dev.comity.core.usage;

import dev.comity.core.usage.Wish.FoundIn;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * All wishes that hold for one resource. A refusal outweighs every permission; where neither is
 * stated, the answer is unknown.
 *
 * <p>A signal counts once for each place it was read in, so their number is bounded. Of those that
 * are only recorded, {@value #MOST_RECORDED} are kept.
 */
public final class Wishes {
  /** More than any site has; it keeps a row of the store short. */
  static final int MOST_RECORDED = 32;

  public static final Wishes NONE = new Wishes(List.of());

  private final List<Wish> all;

  private Wishes(List<Wish> all) {
    this.all = all;
  }

  /** What a site's wishes say about one purpose. */
  public enum Preference {
    REFUSED,
    PERMITTED,
    UNKNOWN
  }

  public static Wishes of(Collection<Wish> wishes) {
    if (wishes.isEmpty()) {
      return NONE;
    }
    List<Wish> kept = new ArrayList<>();
    Set<Wish> seen = new HashSet<>();
    int recorded = 0;
    for (Wish wish : wishes) {
      boolean onlyRecorded = wish.signal() == UsageSignal.RECORDED;
      Wish key = onlyRecorded ? wish : new Wish(wish.signal(), wish.origin(), "");
      boolean fits = !onlyRecorded || recorded < MOST_RECORDED;
      if (fits && seen.add(key)) {
        kept.add(wish);
        recorded += onlyRecorded ? 1 : 0;
      }
    }
    return new Wishes(List.copyOf(kept));
  }

  /** In the order in which they were read. */
  public List<Wish> all() {
    return all;
  }

  public boolean isEmpty() {
    return all.isEmpty();
  }

  /** These and further ones. */
  public Wishes and(Wishes more) {
    if (more.isEmpty()) {
      return this;
    }
    List<Wish> both = new ArrayList<>(all);
    both.addAll(more.all);
    return of(both);
  }

  /**
   * These and what was known before the request. A reservation in the response or the page replaces
   * that of tdmrep.json, as its specification says.
   */
  public Wishes after(Wishes known) {
    boolean replaced = all.stream().anyMatch(wish -> wish.signal().isTdm());
    return replaced ? known.without(FoundIn.TDMREP_FILE).and(this) : known.and(this);
  }

  private Wishes without(FoundIn origin) {
    return of(all.stream().filter(wish -> wish.origin() != origin).toList());
  }

  /** What a page's wishes mean for the images in it. */
  public Wishes forImages() {
    return only(UsageSignal::countsForImages);
  }

  private Wishes only(Predicate<UsageSignal> counts) {
    return of(all.stream().filter(wish -> counts.test(wish.signal())).toList());
  }

  /** The first wish that refuses a page one of these purposes. One refused purpose is enough. */
  public Optional<UsageRefusal> refusalOfPage(Set<Purpose> purposes) {
    return only(UsageSignal::countsForPage).refusal(purposes);
  }

  /**
   * The same for an image. These are its own wishes, and those that a page states for it: {@code
   * page.forImages().and(own).refusalOfImage(purposes)}.
   */
  public Optional<UsageRefusal> refusalOfImage(Set<Purpose> purposes) {
    return refusal(purposes);
  }

  private Optional<UsageRefusal> refusal(Set<Purpose> purposes) {
    for (Wish wish : all) {
      for (Purpose purpose : Purpose.values()) {
        if (purposes.contains(purpose) && wish.signal().refuses(purpose)) {
          return Optional.of(new UsageRefusal(purpose, wish));
        }
      }
    }
    return Optional.empty();
  }

  /** What all of them together say about a purpose. */
  public Preference preference(Purpose purpose) {
    if (refusal(Set.of(purpose)).isPresent()) {
      return Preference.REFUSED;
    }
    return all.stream().anyMatch(wish -> wish.signal().permits(purpose))
        ? Preference.PERMITTED
        : Preference.UNKNOWN;
  }

  /** A JSON array of texts such as {@code "header: X-Robots-Tag: noai"}; empty without wishes. */
  public Optional<String> json() {
    if (all.isEmpty()) {
      return Optional.empty();
    }
    StringBuilder json = new StringBuilder("[");
    for (Wish wish : all) {
      json.append(json.length() == 1 ? "\"" : ",\"");
      // Printable text has no control characters, so these two are all there is to escape.
      json.append(wish.origin().code()).append(": ");
      json.append(wish.words().replace("\\", "\\\\").replace("\"", "\\\"")).append('"');
    }
    return Optional.of(json.append(']').toString());
  }

  @Override
  public String toString() {
    return all.toString();
  }
}
