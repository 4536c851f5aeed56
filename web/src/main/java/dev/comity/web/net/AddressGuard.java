package dev.comity.web.net;

import dev.comity.core.outcome.FetchOutcome.AddressDenied;
import dev.comity.core.outcome.FetchOutcome.ContactMissing;
import dev.comity.core.outcome.FetchOutcome.PortDenied;
import dev.comity.core.url.Authority;
import dev.comity.web.net.SeedVerdict.DenialReason;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Decides which addresses and ports may be connected to. Public addresses may, once a contact is
 * set. Any other kind needs two things: the user gave that very host and port leave to lead inside,
 * and the host's first answer was already of that kind. A name that turns inward later was not what
 * the user asked for. The user's own word about an address ({@link Overrides}) opens it, too. Ports
 * that are not for the web are open to a seed at that port.
 */
public final class AddressGuard {
  private final Resolver resolver;
  private final boolean contactSet;
  private final Overrides overrides;
  private final Map<Place, Leave> leaves = new ConcurrentHashMap<>();
  private final Map<String, AddressKind> firstKinds = new ConcurrentHashMap<>();
  private final Set<Place> openPorts = ConcurrentHashMap.newKeySet();

  /** One host opens one port: what else listens on that machine was not named. */
  private record Place(String host, int port) {
    static Place of(Authority authority) {
      return of(authority.host(), authority.port());
    }

    static Place of(String host, int port) {
      return new Place(Literals.key(host), port);
    }
  }

  public AddressGuard(Resolver resolver, boolean contactSet) {
    this(resolver, contactSet, Overrides.NONE);
  }

  /** A guard that applies the user's overrides before it asks a name server. */
  public AddressGuard(Resolver resolver, boolean contactSet, Overrides overrides) {
    this.resolver = resolver;
    this.contactSet = contactSet;
    this.overrides = overrides;
  }

  /** Sets how far inside this host and port may lead. The default is not at all. */
  public void allow(Authority authority, Leave leave) {
    leaves.merge(Place.of(authority), leave, Leave::and);
  }

  /** How far inside this host and port may lead. */
  public Leave leave(Authority authority) {
    return leave(authority.host(), authority.port());
  }

  private Leave leave(String host, int port) {
    return leaves.getOrDefault(Place.of(host, port), Leave.NONE);
  }

  /**
   * Takes over what an earlier crawl found when it first looked this host up. Where that differs
   * from what is known here, the host opens nothing inside.
   */
  public void remember(Authority authority, AddressKind first) {
    openPorts.add(Place.of(authority));
    firstKinds.merge(
        Literals.key(authority.host()),
        first,
        (known, kept) -> known == kept ? known : AddressKind.PUBLIC);
  }

  /** Of which kind a host's first answer was, the most inward of several; none without answer. */
  public Optional<AddressKind> firstKind(Authority authority) {
    return Optional.ofNullable(firstKinds.get(Literals.key(authority.host())));
  }

  /** The same as {@link #seed} for one that the user named. */
  public SeedVerdict named(Authority authority) {
    allow(authority, Leave.NAMED);
    return seed(authority);
  }

  /**
   * Takes note of a seed and says whether it may be asked. Given again, a seed's first answer still
   * counts.
   */
  public SeedVerdict seed(Authority authority) {
    openPorts.add(Place.of(authority));
    String host = authority.host();
    int port = authority.port();
    List<InetAddress> addresses;
    try {
      addresses = answers(host, port);
    } catch (UnknownHostException _) {
      return new SeedVerdict.Unresolved();
    }
    if (overrides.of(host, port).isEmpty()) {
      firstKinds.putIfAbsent(Literals.key(host), AddressKind.mostInward(addresses));
    }
    return verdict(host, port, addresses);
  }

  private SeedVerdict verdict(String host, int port, List<InetAddress> addresses) {
    List<InetAddress> allowed = allowed(host, port, addresses);
    if (allowed.isEmpty()) {
      return denied(host, port, addresses);
    }
    return allowed.stream()
        .filter(this::needsContact)
        .findFirst()
        .<SeedVerdict>map(address -> new SeedVerdict.ContactNeeded(address.getHostAddress()))
        .orElseGet(SeedVerdict.Welcome::new);
  }

  private SeedVerdict denied(String host, int port, List<InetAddress> addresses) {
    InetAddress denied = Collections.max(addresses, Comparator.comparing(AddressGuard::kind));
    AddressKind kind = kind(denied);
    DenialReason why;
    if (leave(host, port).opens(kind, Literals.isLiteral(host))) {
      why = DenialReason.TURNED_INWARD;
    } else {
      why = kind.needsLiteral() ? DenialReason.NEEDS_LITERAL : DenialReason.NOT_NAMED;
    }
    return new SeedVerdict.SeedDenied(denied.getHostAddress(), kind, why);
  }

  /** Whether requests name a contact of the crawl's operator. */
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

  /** The user's override, or what the name servers answer. */
  private List<InetAddress> answers(String host, int port) throws UnknownHostException {
    var said = overrides.of(host, port);
    return said.isPresent() ? said.get() : resolver.resolve(Literals.bare(host));
  }

  /** Looks up a host that only passes requests on: a proxy. */
  List<InetAddress> lookUp(String host) throws UnknownHostException {
    return resolver.resolve(Literals.bare(host));
  }

  /** Admits a connection or throws. This check decides; earlier ones only save work. */
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
    if (!Ports.isForTheWeb(port) && !openPorts.contains(Place.of(host, port))) {
      throw new AddressRefusal(new PortDenied(port));
    }
  }

  /**
   * Admits a request that a proxy connects for us. The proxy looks the name up again and may take
   * any of its addresses, so all of them must be open. A name that only the proxy can resolve is
   * known not to be this machine. A local name is never passed on.
   */
  public void admitUnseen(String host, int port) throws AddressRefusal {
    admitPort(host, port);
    if (LocalNames.isLocal(host)) {
      throw new AddressRefusal(new AddressDenied(host));
    }
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
        || (leave(host, port).opens(kind, Literals.isLiteral(host))
            && firstKinds.get(Literals.key(host)) == kind)
        || isUsersWord(host, port, address);
  }

  private boolean isUsersWord(String host, int port, InetAddress address) {
    return overrides
        .of(Literals.key(host), port)
        .filter(said -> said.contains(address))
        .isPresent();
  }

  private boolean needsContact(InetAddress address) {
    return !contactSet && !address.isLoopbackAddress();
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
