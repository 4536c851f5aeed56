package dev.comity.app.support;

import dev.comity.app.NetworkPackageTest;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.util.List;

/** Goes out in every way it must not, so that {@link NetworkPackageTest} is known to notice. */
public final class Sneaky {
  private Sneaky() {}

  @SuppressWarnings("AddressSelection") // One address or all: it must not ask at all.
  static List<Object> everything() throws IOException {
    return List.of(
        InetAddress.ofLiteral("127.0.0.1"),
        InetSocketAddress.createUnresolved("site.example", 80),
        InetAddress.getByName("site.example"),
        new InetSocketAddress("site.example", 80),
        new Socket(),
        URI.create("http://site.example/").toURL().openStream(),
        HttpClient.newHttpClient());
  }
}
