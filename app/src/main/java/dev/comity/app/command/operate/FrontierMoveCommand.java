package dev.comity.app.command.operate;

import dev.comity.app.command.DataCommand;
import dev.comity.app.process.Exit;
import dev.comity.app.settings.DataOption;
import dev.comity.app.settings.Settings;
import dev.comity.app.settings.WrongSetting;
import dev.comity.app.text.Fields;
import dev.comity.app.text.Words;
import dev.comity.core.policy.DomainPolicy;
import dev.comity.core.port.queue.QueueHome;
import dev.comity.core.url.DomainName;
import dev.comity.store.KeptStore;
import dev.comity.store.ServerDatabase;
import dev.comity.store.StoreLocation;
import dev.comity.store.StoreSettings;
import dev.comity.store.open.OpenStore;
import dev.comity.store.redis.FrontierMove;
import dev.comity.store.redis.RedisAddress;
import dev.comity.store.redis.RedisLink;
import dev.comity.store.report.DomainOrder;
import dev.comity.store.report.StoreReader;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code comity frontier move}: moves the links that wait between the store and Redis. */
@Command(
    name = "move",
    description = {
      "Move the links that wait to Redis, or from there to the data directory or database.",
      "",
      "No crawl or worker may be running. Broken off, the same command goes on."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:all is moved",
      "1:some links had to stay: their domain has no room for them; the same command moves them"
          + " later",
      "2:invalid command line",
      "5:the data directory, the database or Redis cannot be used"
    })
public final class FrontierMoveCommand extends DataCommand {
  private static final String STORE = "store";

  /** Signatures name no class of Redis: its jars are loaded for this command alone. */
  private record MoveCounts(long domains, long urls, long left) {}

  @Option(
      names = "--to",
      paramLabel = "PLACE",
      required = true,
      description = "redis://host:port/database, or store.")
  private String place = STORE;

  @Option(
      names = "--from",
      paramLabel = "URL",
      description = "With --to store, the address of Redis where that needs a password.")
  private @Nullable String from;

  @Override
  protected int answer(DataOption data) {
    StoreLocation store = data.place();
    Settings crawl = settings();
    StoreSettings settings =
        StoreSettings.of(
                new DomainPolicy(crawl.policy()), crawl.reach().grouping(), Clock.systemUTC())
            .with(crawl.storeLimits());
    List<DomainName> domains = domains(store);
    try (KeptStore open = OpenStore.at(store, settings)) {
      return place.equals(STORE)
          ? said(
              toStore(open, settings),
              store instanceof ServerDatabase ? "the database" : "the data directory")
          : said(toRedis(open, settings, domains), RedisAddress.parse(place).shown());
    }
  }

  private static List<DomainName> domains(StoreLocation store) {
    OpenStore.upgrade(store);
    try (StoreReader reader = StoreReader.open(store)) {
      return reader.domains(Optional.empty(), DomainOrder.QUEUED, Integer.MAX_VALUE).stream()
          .map(domain -> new DomainName(domain.name()))
          .toList();
    }
  }

  private MoveCounts toStore(KeptStore store, StoreSettings settings) {
    Optional<QueueHome> home = store.checkpoints().home();
    if (home.isEmpty()) {
      return new MoveCounts(0, 0, 0);
    }
    RedisAddress address = RedisAddress.parse(from == null ? home.get().address() : from);
    if (!address.shown().equals(home.get().address())) {
      throw new WrongSetting(
          "from is %s, but the queues are at %s".formatted(address.shown(), home.get().address()));
    }
    try (RedisLink link = RedisLink.connect(address, _ -> {})) {
      var moved = new FrontierMove(store, store.checkpoints(), settings, link).toStore();
      return new MoveCounts(moved.domains(), moved.urls(), moved.left());
    }
  }

  private MoveCounts toRedis(KeptStore store, StoreSettings settings, List<DomainName> domains) {
    try (RedisLink link = RedisLink.connect(RedisAddress.parse(place), _ -> {})) {
      link.requireDurable();
      var moved = new FrontierMove(store, store.checkpoints(), settings, link).toRedis(domains);
      return new MoveCounts(moved.domains(), moved.urls(), moved.left());
    }
  }

  private int said(MoveCounts moved, String where) {
    if (inJson()) {
      say(
          Fields.none()
              .and("to", where)
              .and("domains", moved.domains())
              .and("urls", moved.urls())
              .and("left", moved.left()));
    } else {
      say(
          "%s of %s moved to %s%s"
              .formatted(
                  Words.count(moved.urls(), "URL"),
                  Words.count(moved.domains(), "domain"),
                  where,
                  moved.left() == 0
                      ? ""
                      : "; %d had to stay, since their domains have no room"
                          .formatted(moved.left())));
    }
    return moved.left() == 0 ? Exit.DONE : Exit.FAILED;
  }
}
