package dev.comity.app.seeds;

import dev.comity.app.settings.WrongSetting;
import dev.comity.core.url.ParsedSeed;
import dev.comity.core.url.Seed;
import dev.comity.core.url.UrlRefusal;
import dev.comity.core.util.Printable;
import dev.comity.store.redis.RedisAddress;
import dev.comity.store.redis.RedisLink;
import dev.comity.store.redis.RedisSeeds;
import dev.comity.store.redis.RedisSeeds.RefusedEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A list of seeds in Redis, in place of a file. Its names lead no further inside than those of a
 * file.
 */
public final class RedisSeedList implements AutoCloseable {
  /** What a crawl takes at its start; {@code ingest-seeds} takes all. */
  static final int MOST_OF_A_CRAWL = 100_000;

  private final RedisLink link;
  private final RedisSeeds seeds;
  private final String shown;
  private final List<RefusedEntry> refused = new ArrayList<>();
  private int taken;

  private RedisSeedList(RedisLink link, String key) {
    this.link = link;
    seeds = new RedisSeeds(link, key);
    shown = key + " of " + link.address().shown();
  }

  /** Whether this names a list in Redis, and no file. */
  public static boolean isNamed(String name) {
    return name.startsWith("redis://") || name.startsWith("rediss://");
  }

  /** What a file or list is called in words: an address may have a password. */
  static String spoken(String name) {
    return isNamed(name)
        ? Printable.text(name.replaceFirst("//[^/@]*@", "//"))
        : SeedFiles.spoken(name);
  }

  /**
   * Connects to it.
   *
   * @throws WrongSetting if the address names no key
   */
  public static RedisSeedList open(String name) {
    RedisAddress address = RedisAddress.parse(name);
    String key =
        address
            .key()
            .orElseThrow(
                () ->
                    new WrongSetting(
                        "seeds: %s names no key: add it, for example %s/start_urls"
                            .formatted(address.shown(), address.shown())));
    return new RedisSeedList(RedisLink.connect(address, _ -> {}), key);
  }

  /** Its key and server. */
  String shown() {
    return shown;
  }

  /** Takes seeds, which are pending until they are stored; returns how many entries there were. */
  int take(int most, SeedReader.Taker taker) {
    List<String> entries = seeds.take(most);
    taken = entries.size();
    refused.clear();
    for (String entry : entries) {
      switch (read(entry)) {
        case Seed seed -> taker.seed(0, GivenSeed.of(seed));
        case UrlRefusal refusal -> {
          refused.add(new RefusedEntry(entry, refusal.message()));
          taker.bad(0, 1, refusal.message());
        }
      }
    }
    return taken;
  }

  private static ParsedSeed read(String entry) {
    Optional<String> url = RedisSeeds.url(entry);
    return Seed.parse(url.orElse(entry));
  }

  /** What was taken is in the store. */
  void stored() {
    seeds.stored(taken, refused);
  }

  @Override
  public void close() {
    link.close();
  }
}
