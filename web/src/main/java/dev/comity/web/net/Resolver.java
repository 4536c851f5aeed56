package dev.comity.web.net;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;

/** Turns a name into addresses; the place for overrides and for tests. */
@FunctionalInterface
public interface Resolver {
  /** What the machine's own configuration says. */
  Resolver SYSTEM = host -> List.of(InetAddress.getAllByName(host));

  /**
   * All addresses of a name, best first and at least one.
   *
   * @throws UnknownHostException if it has none
   */
  List<InetAddress> resolve(String host) throws UnknownHostException;
}
