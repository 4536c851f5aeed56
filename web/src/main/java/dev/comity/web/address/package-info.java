/**
 * The door every connection goes through.
 *
 * <p>A name is looked up by a {@link dev.comity.web.address.Resolver}; each address it gives has an
 * {@link dev.comity.web.address.AddressKind}, told from its bytes alone; the {@link
 * dev.comity.web.address.AddressGuard} says whether that kind may be asked for that host. It is
 * asked where the socket connects, with the very address that is connected to, so no spelling, no
 * redirect and no change of mind of a name server leads around it. How far inside a seed may lead
 * is its {@link dev.comity.web.address.Leave}; anything else that is asked has none.
 *
 * <p>Before the system is asked for a name come the user's own {@link
 * dev.comity.web.address.Overrides}; a {@link dev.comity.web.address.NameBook} keeps the answers.
 * {@link dev.comity.web.address.GuardedSockets} are all the sockets there are, with a {@link
 * dev.comity.web.address.ProxyServer} in between or without.
 */
@NullMarked
package dev.comity.web.address;

import org.jspecify.annotations.NullMarked;
