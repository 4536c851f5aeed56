package dev.comity.store.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import redis.clients.jedis.UnifiedJedis;
import redis.clients.jedis.exceptions.JedisNoScriptException;

/**
 * The scripts on the queue of one domain, or on one list of seeds. All keys of a script have one
 * hash tag, so a cluster keeps them on one server. Each script may be repeated: an answer that was
 * lost changes nothing.
 */
enum RedisScripts {
  OPEN(false),
  ADD(true),
  TAKE(true),
  ACK(true),
  DROP(false),
  /** Moves seeds from their list to the pending list of one worker. */
  SEEDS(false),
  /** Pending seeds are in the store. */
  STORED(false);

  private final String text;
  private final String sha;

  RedisScripts(boolean checked) {
    text = (checked ? load("check") : "") + load(name().toLowerCase(Locale.ROOT));
    sha = sha1(text);
  }

  /** Runs it. The server may have forgotten its text. */
  Object run(UnifiedJedis client, List<byte[]> keys, List<byte[]> arguments) {
    try {
      return client.evalsha(sha.getBytes(StandardCharsets.US_ASCII), keys, arguments);
    } catch (JedisNoScriptException _) {
      return client.eval(text.getBytes(StandardCharsets.UTF_8), keys, arguments);
    }
  }

  private static String load(String name) {
    try (InputStream in =
        Objects.requireNonNull(
            RedisScripts.class.getResourceAsStream(name + ".lua"), name + ".lua")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  private static String sha1(String text) {
    try {
      return HexFormat.of()
          .formatHex(
              MessageDigest.getInstance("SHA-1").digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException failed) {
      throw new IllegalStateException(failed);
    }
  }
}
