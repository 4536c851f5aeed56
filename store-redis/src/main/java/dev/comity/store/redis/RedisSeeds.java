package dev.comity.store.redis;

import dev.comity.core.util.Printable;
import dev.comity.store.StoreUnusable;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * Seeds that others put into Redis: a sorted set, a list or a set, as scrapy-redis has them.
 * Several workers may take from one. A seed is pending for one worker until the store has it; what
 * is pending for a worker that died is taken over. So no seed is lost, and the store knows one that
 * comes twice.
 */
public final class RedisSeeds {
  /** A longer entry is no URL. */
  private static final int LONGEST = 40_000;

  /** Bad entries that are kept for people to look at. */
  private static final int MOST_REFUSED = 1_000;

  /** A worker stores what it took within moments. */
  private static final Duration GIVEN_UP_AFTER = Duration.ofMinutes(1);

  private static final JsonFactory JSON = new JsonFactory();

  private final RedisLink link;
  private final String key;
  private final String prefix;
  private final String worker = UUID.randomUUID().toString();
  private final Duration givenUpAfter;

  public RedisSeeds(RedisLink link, String key) {
    this(link, key, GIVEN_UP_AFTER);
  }

  RedisSeeds(RedisLink link, String key, Duration givenUpAfter) {
    this.link = link;
    this.key = key;
    this.givenUpAfter = givenUpAfter;
    // One hash tag for all: the key's own, or the whole key.
    prefix = key.matches(".*\\{[^}]+}.*") ? key : "{" + key + "}";
  }

  /** An entry that is no seed. */
  public record RefusedEntry(String entry, String why) {}

  /**
   * Takes seeds. They come again until they are stored.
   *
   * @throws StoreUnusable if the key has no list of seeds
   */
  public List<String> take(int most) {
    List<?> answer =
        run(
            RedisScripts.SEEDS,
            List.of("" + most, worker, prefix + ":pending:", "" + givenUpAfter.toMillis()));
    String kind = new String((byte[]) answer.getFirst(), StandardCharsets.UTF_8);
    if (!kind.equals("ok")) {
      throw new StoreUnusable(
          "the key %s in Redis at %s is a %s, but seeds are in a sorted set, a list or a set"
              .formatted(Printable.quoted(key), link.address().shown(), Printable.text(kind)));
    }
    List<String> seeds = new ArrayList<>();
    for (Object one : (List<?>) answer.get(1)) {
      seeds.add(new String((byte[]) one, StandardCharsets.UTF_8));
    }
    return seeds;
  }

  /** The store has so many of those taken last. Bad ones are kept in a list beside. */
  public void stored(int count, List<RefusedEntry> refused) {
    List<String> arguments =
        new ArrayList<>(List.of("" + count, worker, prefix + ":pending:", "" + MOST_REFUSED));
    refused.forEach(
        one ->
            arguments.add(
                one.why()
                    + ": "
                    + one.entry().substring(0, Math.min(2_048, one.entry().length()))));
    run(RedisScripts.STORED, arguments);
  }

  private List<?> run(RedisScripts script, List<String> arguments) {
    List<byte[]> keys = List.of(bytes(key), bytes(prefix + ":workers"), bytes(prefix + ":refused"));
    return (List<?>)
        link.ask(
            redis -> script.run(redis, keys, arguments.stream().map(RedisSeeds::bytes).toList()));
  }

  /** The URL of an entry: the entry itself, or the {@code url} of a JSON object. */
  public static Optional<String> url(String entry) {
    String text = entry.strip();
    if (text.isEmpty() || text.length() > LONGEST) {
      return Optional.empty();
    }
    return text.startsWith("{") ? ofJson(text) : Optional.of(text);
  }

  private static Optional<String> ofJson(String text) {
    Optional<String> url = Optional.empty();
    try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), text)) {
      parser.nextToken();
      while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
        String name = parser.currentName();
        JsonToken value = parser.nextToken();
        if (name.equals("url") && value == JsonToken.VALUE_STRING) {
          url = Optional.of(parser.getString().strip()).filter(one -> !one.isEmpty());
        }
        parser.skipChildren();
      }
      return parser.currentToken() == JsonToken.END_OBJECT ? url : Optional.empty();
    } catch (JacksonException _) {
      return Optional.empty();
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
