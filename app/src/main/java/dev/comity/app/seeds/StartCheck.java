package dev.comity.app.seeds;

import dev.comity.SeedCheck;
import dev.comity.app.settings.WrongSetting;
import dev.comity.core.url.Grouping;
import dev.comity.store.StoreLocation;
import dev.comity.web.net.AddressGuard;
import dev.comity.web.net.Leave;
import dev.comity.web.net.LocalNames;
import dev.comity.web.net.SeedVerdict;
import java.io.UncheckedIOException;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Checks the seeds before the first request and makes them known to the guard. A seed of a list
 * that may not be asked becomes a bad line; one of the command line stops the command.
 *
 * @param proxied whether names are looked up by an HTTP proxy, which may know more of them
 * @param allowPrivate whether seeds of lists may lead inside
 */
public record StartCheck(
    AddressGuard guard, Grouping grouping, boolean proxied, boolean allowPrivate) {

  private Leave leave(GivenSeed given) {
    if (given.named()) {
      return Leave.NAMED;
    }
    return allowPrivate ? Leave.PRIVATE : Leave.NONE;
  }

  /** Tells the guard what a store knows about the addresses of seeds. */
  public void recall(StoreLocation place, SeedLines lines) {
    SeedCheck.recall(
        place,
        lines.seeds().stream()
            .filter(given -> leave(given) != Leave.NONE)
            .map(given -> grouping.domainOf(given.seed().url()))
            .distinct()
            .toList(),
        guard);
  }

  /**
   * Checks every seed and tells the address guard about it.
   *
   * @throws WrongSetting if a seed of the command line may not be asked as things are, or none may
   * @throws UncheckedIOException if no seed has an address
   */
  public void exchange(SeedLines lines) throws InterruptedException {
    List<GivenSeed> all = lines.seeds();
    // All leave is given before the first verdict: two seeds may have the same authority.
    all.forEach(given -> guard.allow(given.seed().url().authority(), leave(given)));
    List<SeedVerdict> verdicts =
        SeedCheck.verdicts(all.stream().map(GivenSeed::seed).toList(), guard);
    List<String> unknown = new ArrayList<>();
    for (int number = 0; number < all.size(); number++) {
      GivenSeed given = all.get(number);
      Optional<String> refusal = refusal(given, verdicts.get(number));
      if (refusal.isPresent()) {
        refuse(lines, given, refusal.get());
      } else if (verdicts.get(number) instanceof SeedVerdict.Unresolved) {
        unknown.add(given.seed().url().host());
      }
    }
    List<GivenSeed> welcome = lines.seeds();
    if (welcome.isEmpty()) {
      throw new WrongSetting("none of the seeds may be asked");
    }
    if (unknown.size() == welcome.size() && !proxied) {
      String message =
          "no address found for %s: check the spelling and the network"
              .formatted(String.join(", ", unknown));
      throw new UncheckedIOException(message, new UnknownHostException(message));
    }
  }

  private static void refuse(SeedLines lines, GivenSeed given, String why) {
    if (given.named()) {
      throw new WrongSetting(why);
    }
    lines.refuse(given, why);
  }

  /**
   * The reason why this seed may not be asked.
   *
   * @throws WrongSetting if it is for want of a contact, which the whole crawl needs
   */
  private Optional<String> refusal(GivenSeed given, SeedVerdict verdict) {
    String host = given.seed().url().host();
    if (proxied && LocalNames.isLocal(host)) {
      return Optional.of(host + " is local, so no proxy is told of it");
    }
    return switch (verdict) {
      case SeedVerdict.Welcome _ -> Optional.empty();
      case SeedVerdict.Unresolved _ -> {
        if (proxied && !guard.hasContact()) {
          // A name only the proxy knows is not this machine: each of its URLs would fail.
          throw contactNeeded(host, "known to the proxy at best");
        }
        yield Optional.empty();
      }
      case SeedVerdict.SeedDenied denied ->
          Optional.of(denied.words(host) + wayOut(denied.why(), given));
      case SeedVerdict.ContactNeeded(var address) -> throw contactNeeded(host, address);
    };
  }

  private String wayOut(SeedVerdict.DenialReason why, GivenSeed given) {
    return switch (why) {
      case NEEDS_LITERAL -> " on the command line";
      case NOT_NAMED -> ": name it on the command line, or add --allow-private";
      case TURNED_INWARD ->
          "; `comity domain-reset %s` forgets that"
              .formatted(grouping.domainOf(given.seed().url()));
    };
  }

  private static WrongSetting contactNeeded(String host, String where) {
    return new WrongSetting(
        "crawling %s (%s) needs a contact, so that its owner can reach you: add --contact you@example.org, or set COMITY_CONTACT"
            .formatted(host, where));
  }
}
