/**
 * TLS over the connections of {@link dev.comity.web.address}.
 *
 * <p>{@link dev.comity.web.net.Tls} makes the handshake and verifies the server: its chain by the
 * JDK, its revocation by the OCSP response it staples, its name by {@link
 * dev.comity.web.net.CertificateNames}.
 */
@NullMarked
package dev.comity.web.net;

import org.jspecify.annotations.NullMarked;
