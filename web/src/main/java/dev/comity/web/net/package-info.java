/**
 * Sockets, names and addresses; no other package opens a connection or looks a name up. A {@link
 * dev.comity.web.net.Resolver} looks a name up, and a cache keeps the addresses. The {@link
 * dev.comity.web.net.AddressGuard} decides whether an address may be connected to. It is asked
 * where the socket connects, with the very address of the connection. So no spelling, redirect or
 * changed DNS record leads around it. Proxies, certificates and file descriptors belong here too.
 */
@NullMarked
package dev.comity.web.net;

import org.jspecify.annotations.NullMarked;
