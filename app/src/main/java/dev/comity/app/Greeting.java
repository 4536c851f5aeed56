package dev.comity.app;

import dev.comity.Introduction;
import dev.comity.core.url.Seed;
import dev.comity.web.address.AddressGuard;
import dev.comity.web.address.SeedVerdict;
import java.io.UncheckedIOException;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Finds out before the first request what would stop it, and makes the seeds known to the guard.
 */
final class Greeting {
  private Greeting() {}

  /**
   * @param proxied whether names are looked up by somebody who may know more of them than we do
   * @throws WrongSetting if a seed may not be asked as things are
   * @throws UncheckedIOException if no seed has an address
   */
  static void exchange(List<Seed> seeds, AddressGuard guard, boolean proxied)
      throws InterruptedException {
    List<SeedVerdict> verdicts = Introduction.verdicts(seeds, guard);
    List<String> unknown = new ArrayList<>();
    for (int number = 0; number < seeds.size(); number++) {
      String host = seeds.get(number).url().host();
      switch (verdicts.get(number)) {
        case SeedVerdict.Welcome _ -> {}
        case SeedVerdict.Unresolved _ -> {
          unknown.add(host);
          if (proxied && !guard.hasContact()) {
            // Whoever knows the name, it is nobody on this machine: each of its URLs would fail.
            throw contactNeeded(host, "known to the proxy at best");
          }
        }
        case SeedVerdict.Denied(var address, var kind) ->
            throw new WrongSetting(
                "%s leads to %s (%s), which is only asked when the address itself is given"
                    .formatted(
                        host, address, kind.toString().toLowerCase(Locale.ROOT).replace('_', '-')));
        case SeedVerdict.ContactNeeded(var address) -> throw contactNeeded(host, address);
      }
    }
    if (unknown.size() == seeds.size() && !proxied) {
      String message =
          "no address is known for %s: check the spelling and the network"
              .formatted(String.join(", ", unknown));
      throw new UncheckedIOException(message, new UnknownHostException(message));
    }
  }

  private static WrongSetting contactNeeded(String host, String where) {
    return new WrongSetting(
        "crawling %s (%s) needs a contact, so that its owner can reach you: add --contact you@example.org, or set COMITY_CONTACT"
            .formatted(host, where));
  }
}
