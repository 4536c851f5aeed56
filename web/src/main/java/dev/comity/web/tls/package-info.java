/** TLS with an eye on what comes through. */
@NullMarked
package dev.comity.web.tls;

import org.jspecify.annotations.NullMarked;
