/** TLS sockets whose answers OkHttp can read without losing a byte. */
@NullMarked
package dev.comity.web.tls;

import org.jspecify.annotations.NullMarked;
