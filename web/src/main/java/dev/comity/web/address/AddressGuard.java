package dev.comity.web.address;

import dev.comity.core.outcome.FetchOutcome.AddressDenied;
import dev.comity.core.outcome.FetchOutcome.ContactMissing;
import dev.comity.core.outcome.FetchOutcome.PortDenied;
import dev.comity.core.url.Authority;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Decides which addresses and ports may be connected to. Public addresses may, once a contact is
 * set. Any other kind only for a host that was given as a seed and whose first answer was already
 * of that kind: a name that turns inward later was not what the user asked for. Or for one of which
 * the user said that it is there. Ports that are not for the web are open to a seed at that port.
 */
public final class AddressGuard {
  private final Resolver resolver;
  private final boolean contactSet;
  private final Overrides overrides;
  private final Map<String, Set<AddressKind>> seeds = new ConcurrentHashMap<>();
  private final Set<Place> openPorts = ConcurrentHashMap.newKeySet();

  private record Place(String host, int port) {}

  public AddressGuard(Resolver resolver, boolean contactSet) {
    this(resolver, contactSet, Overrides.NONE);
  }

  /** A guard that goes by the user's word before it asks a name server. */
  public AddressGuard(Resolver resolver, boolean contactSet, Overrides overrides) {
    this.resolver = resolver;
    this.contactSet = contactSet;
    this.overrides = overrides;
  }

  /**
   * Takes note of a seed and says whether it may be asked. Given again, a seed's first answer still
   * counts.
   */
  public SeedVerdict seed(Authority authority) {
    openPorts.add(new Place(Literals.key(authority.host()), authority.port()));
    return seed(authority.host(), authority.port());
  }

  /** The same for a host at the usual port. */
  public SeedVerdict seed(String host) {
    return seed(host, 443);
  }

  private SeedVerdict seed(String host, int port) {
    List<InetAddress> addresses;
    try {
      addresses = answers(host, port);
    } catch (UnknownHostException _) {
      return new SeedVerdict.Unresolved();
    }
    if (overrides.of(host, port).isEmpty()) {
      seeds.putIfAbsent(Literals.key(host), kinds(host, addresses));
    }
    return verdict(host, port, addresses);
  }

  private static Set<AddressKind> kinds(String host, List<InetAddress> addresses) {
    Set<AddressKind> kinds = EnumSet.noneOf(AddressKind.class);
    addresses.stream()
        .map(AddressGuard::kind)
        .filter(kind -> !kind.needsLiteral() || Literals.isLiteral(host))
        .forEach(kinds::add);
    return kinds;
  }

  private SeedVerdict verdict(String host, int port, List<InetAddress> addresses) {
    List<InetAddress> allowed = allowed(host, port, addresses);
    if (allowed.isEmpty()) {
      InetAddress denied = addresses.getFirst();
      return new SeedVerdict.Denied(denied.getHostAddress(), kind(denied));
    }
    return allowed.stream()
        .filter(this::needsContact)
        .findFirst()
        .<SeedVerdict>map(address -> new SeedVerdict.ContactNeeded(address.getHostAddress()))
        .orElseGet(SeedVerdict.Welcome::new);
  }

  /** Whether those who are asked can reach whoever runs this crawl. */
  public boolean hasContact() {
    return contactSet;
  }

  /** Looks a name up; where some of its addresses may be asked, the others are left out. */
  public List<InetAddress> resolve(String host, int port) throws UnknownHostException {
    List<InetAddress> answers = answers(host, port);
    List<InetAddress> allowed = allowed(host, port, answers);
    List<InetAddress> usable = allowed.isEmpty() ? answers : allowed;
    return usable.stream().map(address -> named(host, address)).toList();
  }

  /** What the name servers say, or the user in their stead. */
  private List<InetAddress> answers(String host, int port) throws UnknownHostException {
    var said = overrides.of(host, port);
    return said.isPresent() ? said.get() : resolver.resolve(Literals.bare(host));
  }

  /** Looks up a host of whom nothing is asked but to pass requests on. */
  List<InetAddress> lookUp(String host) throws UnknownHostException {
    return resolver.resolve(Literals.bare(host));
  }

  /**
   * Lets a connection pass or throws. This is the door itself; whatever was checked earlier only
   * saves the way here.
   */
  public void admit(String host, InetAddress address, int port) throws AddressRefusal {
    admitPort(host, port);
    if (!mayAsk(host, port, address)) {
      throw new AddressRefusal(new AddressDenied(address.getHostAddress()));
    }
    if (needsContact(address)) {
      throw new AddressRefusal(new ContactMissing(address.getHostAddress()));
    }
  }

  /** Refuses a port before anything is looked up for it. */
  public void admitPort(String host, int port) throws AddressRefusal {
    if (!Ports.isForTheWeb(port) && !openPorts.contains(new Place(Literals.key(host), port))) {
      throw new AddressRefusal(new PortDenied(port));
    }
  }

  /**
   * Lets a request pass that somebody else connects for us, who looks the name up again and may
   * take any of its addresses: so all of them must be open. Of a name that is known only there
   * nothing can be said but that it is not this machine.
   */
  public void admitUnseen(String host, int port) throws AddressRefusal {
    admitPort(host, port);
    List<InetAddress> answers;
    try {
      answers = answers(host, port);
    } catch (UnknownHostException _) {
      if (!contactSet) {
        throw new AddressRefusal(new ContactMissing(host));
      }
      return;
    }
    for (InetAddress address : answers) {
      admit(host, address, port);
    }
  }

  private List<InetAddress> allowed(String host, int port, List<InetAddress> addresses) {
    return addresses.stream().filter(address -> mayAsk(host, port, address)).toList();
  }

  private boolean mayAsk(String host, int port, InetAddress address) {
    AddressKind kind = kind(address);
    return kind == AddressKind.PUBLIC
        || seeds.getOrDefault(Literals.key(host), Set.of()).contains(kind)
        || isUsersWord(host, port, address);
  }

  private boolean isUsersWord(String host, int port, InetAddress address) {
    return overrides
        .of(Literals.key(host), port)
        .filter(said -> said.contains(address))
        .isPresent();
  }

  private boolean needsContact(InetAddress address) {
    return !contactSet && kind(address) != AddressKind.LOOPBACK;
  }

  private static AddressKind kind(InetAddress address) {
    return AddressKind.of(address.getAddress());
  }

  /** The address under the name it was found by, which is how the socket knows the host. */
  private static InetAddress named(String host, InetAddress address) {
    try {
      return InetAddress.getByAddress(host, address.getAddress());
    } catch (UnknownHostException impossible) {
      throw new IllegalStateException("an address has 4 or 16 bytes", impossible);
    }
  }
}
