package dev.comity.web.address;

import dev.comity.core.outcome.FetchOutcome.AddressDenied;
import dev.comity.core.outcome.FetchOutcome.ContactMissing;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Decides which addresses may be connected to. Public ones may, once a contact is set. Any other
 * kind only for a host that was given as a seed and whose first answer was already of that kind: a
 * name that turns inward later was not what the user asked for.
 */
public final class AddressGuard {
  private final Resolver resolver;
  private final boolean contactSet;
  private final Map<String, Set<AddressKind>> seeds = new ConcurrentHashMap<>();

  public AddressGuard(Resolver resolver, boolean contactSet) {
    this.resolver = resolver;
    this.contactSet = contactSet;
  }

  /**
   * Takes note of a seed's host and says whether it may be asked. Given again, a seed's first
   * answer still counts.
   */
  public SeedVerdict seed(String host) {
    List<InetAddress> addresses;
    try {
      addresses = resolver.resolve(bare(host));
    } catch (UnknownHostException _) {
      return new SeedVerdict.Unresolved();
    }
    String key = key(host);
    Set<AddressKind> kinds = EnumSet.noneOf(AddressKind.class);
    addresses.stream()
        .map(address -> AddressKind.of(address.getAddress()))
        .filter(kind -> !kind.needsLiteral() || isLiteral(key))
        .forEach(kinds::add);
    seeds.putIfAbsent(key, kinds);
    return verdict(host, addresses);
  }

  private SeedVerdict verdict(String host, List<InetAddress> addresses) {
    List<InetAddress> allowed = allowed(host, addresses);
    if (allowed.isEmpty()) {
      InetAddress denied = addresses.getFirst();
      return new SeedVerdict.Denied(denied.getHostAddress(), AddressKind.of(denied.getAddress()));
    }
    return allowed.stream()
        .filter(
            address -> !contactSet && AddressKind.of(address.getAddress()) != AddressKind.LOOPBACK)
        .findFirst()
        .<SeedVerdict>map(address -> new SeedVerdict.ContactNeeded(address.getHostAddress()))
        .orElseGet(SeedVerdict.Welcome::new);
  }

  /** Looks a name up; where some of its addresses may be asked, the others are left out. */
  public List<InetAddress> resolve(String host) throws UnknownHostException {
    List<InetAddress> answers = resolver.resolve(host);
    List<InetAddress> allowed = allowed(host, answers);
    List<InetAddress> usable = allowed.isEmpty() ? answers : allowed;
    return usable.stream().map(address -> named(host, address)).toList();
  }

  /**
   * Lets a connection pass or throws. This is the door itself; whatever was checked earlier only
   * saves the way here.
   */
  public void admit(String host, InetAddress address) throws AddressRefusal {
    if (!mayAsk(host, address)) {
      throw new AddressRefusal(new AddressDenied(address.getHostAddress()));
    }
    if (!contactSet && AddressKind.of(address.getAddress()) != AddressKind.LOOPBACK) {
      throw new AddressRefusal(new ContactMissing(address.getHostAddress()));
    }
  }

  private List<InetAddress> allowed(String host, List<InetAddress> addresses) {
    return addresses.stream().filter(address -> mayAsk(host, address)).toList();
  }

  private boolean mayAsk(String host, InetAddress address) {
    AddressKind kind = AddressKind.of(address.getAddress());
    return kind == AddressKind.PUBLIC || seeds.getOrDefault(key(host), Set.of()).contains(kind);
  }

  /** The address under the name it was found by, which is how the socket knows the host. */
  private static InetAddress named(String host, InetAddress address) {
    try {
      return InetAddress.getByAddress(host, address.getAddress());
    } catch (UnknownHostException impossible) {
      throw new IllegalStateException("an address has 4 or 16 bytes", impossible);
    }
  }

  /** One spelling per host: names in lower case, addresses as the system writes them. */
  private static String key(String host) {
    String bare = bare(host);
    try {
      return InetAddress.ofLiteral(bare).getHostAddress();
    } catch (IllegalArgumentException _) {
      return bare.toLowerCase(Locale.ROOT);
    }
  }

  private static boolean isLiteral(String key) {
    try {
      InetAddress.ofLiteral(key);
      return true;
    } catch (IllegalArgumentException _) {
      return false;
    }
  }

  private static String bare(String host) {
    return host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
  }
}
