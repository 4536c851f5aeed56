/**
 * Certificates for servers of tests, good ones and others. The JDK has no public way to make one,
 * so {@link dev.comity.testkit.tls.TestCertificate} writes them byte by byte ({@link
 * dev.comity.testkit.tls.Der}).
 */
@NullMarked
package dev.comity.testkit.tls;

import org.jspecify.annotations.NullMarked;
