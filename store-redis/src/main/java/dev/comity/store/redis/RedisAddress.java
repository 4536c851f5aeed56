package dev.comity.store.redis;

import dev.comity.core.util.Printable;
import dev.comity.store.StoreUnusable;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import redis.clients.jedis.HostAndPort;

/**
 * The address of a Redis server, or of servers of a cluster: {@code
 * redis://user:password@host:port/database}. TLS with {@code rediss}; several hosts are separated
 * by commas. A password may lie in a file that {@code ?passwordFile=} names, or in {@code
 * REDIS_PASSWORD}.
 *
 * @param key what the path names beside the database: the key of a list of seeds
 */
public record RedisAddress(
    boolean tls,
    Optional<String> user,
    Optional<String> password,
    List<HostAndPort> hosts,
    int database,
    Optional<String> key) {
  private static final int PORT = 6379;
  private static final Pattern FORM =
      Pattern.compile(
          "(redis|rediss)://(?:([^@/]*)@)?([^@/?]+)((?:/[^?]*)?)(?:\\?passwordFile=(.+))?");

  /** Reads an address. An error shows no password. */
  public static RedisAddress parse(String text) {
    Matcher form = FORM.matcher(text);
    if (!form.matches()) {
      throw wrong(text, "it is not redis://host:port/database");
    }
    Optional<String> user = Optional.empty();
    Optional<String> password = Optional.ofNullable(System.getenv("REDIS_PASSWORD"));
    if (form.group(2) != null) {
      String[] account = form.group(2).split(":", 2);
      user = Optional.of(decoded(account[0])).filter(name -> !name.isEmpty());
      password = account.length < 2 ? password : Optional.of(decoded(account[1]));
    }
    if (form.group(5) != null) {
      password = Optional.of(read(form.group(5)));
    }
    List<HostAndPort> hosts = new ArrayList<>();
    for (String host : form.group(3).split(",", -1)) {
      hosts.add(host(text, host));
    }
    String path = form.group(4).isEmpty() ? "" : form.group(4).substring(1);
    String first = path.contains("/") ? path.substring(0, path.indexOf('/')) : path;
    boolean numbered = first.matches("\\d{1,4}");
    String rest = numbered ? path.substring(Math.min(path.length(), first.length() + 1)) : path;
    return new RedisAddress(
        form.group(1).equals("rediss"),
        user,
        password,
        List.copyOf(hosts),
        numbered ? Integer.parseInt(first) : 0,
        Optional.of(decoded(rest)).filter(key -> !key.isEmpty()));
  }

  private static HostAndPort host(String text, String host) {
    Matcher form = Pattern.compile("(\\[[0-9a-fA-F:.]+]|[^:]+)(?::(\\d{1,5}))?").matcher(host);
    if (!form.matches()) {
      throw wrong(text, "a host is " + Printable.quoted(Printable.cut(host)));
    }
    int port = form.group(2) == null ? PORT : Integer.parseInt(form.group(2));
    if (port < 1 || port > 65_535) {
      throw wrong(text, "the port is " + port + ", and ports end at 65535");
    }
    return new HostAndPort(form.group(1), port);
  }

  private static String decoded(String text) {
    return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
  }

  private static String read(String file) {
    try {
      return Files.readString(Path.of(file)).strip();
    } catch (IOException | IllegalArgumentException _) {
      throw new StoreUnusable(
          "the file of Redis' password cannot be read: " + Printable.quoted(Printable.cut(file)));
    }
  }

  private static StoreUnusable wrong(String text, String why) {
    return new StoreUnusable(
        "the address of Redis is %s, but %s; use redis://host:6379"
            .formatted(Printable.quoted(Printable.cut(text.replaceAll("//[^/]*@", "//…@"))), why));
  }

  /** The address without user and password: it may be shown and kept. */
  public String shown() {
    return (tls ? "rediss://" : "redis://")
        + String.join(",", hosts.stream().map(HostAndPort::toString).toList())
        + (database == 0 ? "" : "/" + database);
  }

  @Override
  public String toString() {
    return shown();
  }
}
