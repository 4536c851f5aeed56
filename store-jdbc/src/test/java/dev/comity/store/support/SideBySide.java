package dev.comity.store.support;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.memory.MemoryStore;
import dev.comity.core.port.store.CrawlStore;
import dev.comity.core.port.store.RobotsCopy;
import dev.comity.core.port.store.StoreLimits;
import dev.comity.core.url.Authority;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.DomainName;
import dev.comity.core.url.Grouping;
import dev.comity.store.DataDirectory;
import dev.comity.store.StoreSettings;
import dev.comity.store.doctor.Doctor;
import dev.comity.store.sqlite.SqliteStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/** The store in memory and the one on disk, told the same and asked the same. */
public final class SideBySide implements AutoCloseable {
  private static final Set<String> PACED = Set.of("spacing", "rests");

  static final Duration LEASE = Duration.ofMinutes(5);

  private static final StoreLimits LIMITS =
      StoreLimits.DEFAULTS.withLease(LEASE).withMaxUnfinished(6);

  /**
   * What a call came to.
   *
   * @param thrown the type of what it threw; the words may differ
   */
  record Answer<T>(Optional<T> value, Optional<Class<?>> thrown) {}

  private final Path home;
  private final List<CrawlUrl> doors;
  private final List<String> lines = new ArrayList<>();
  private final MemoryStore model =
      new MemoryStore(Grouping.BY_HOST::domainOf, Stores.POLICY, LIMITS, () -> now());
  private SqliteStore store;
  private Path directory;
  private int lives;

  /** Read by the store from a thread of its own. */
  private volatile Instant now = Stores.NOON;

  /**
   * @param doors a URL of each domain there is
   */
  public SideBySide(Path home, List<CrawlUrl> doors) {
    this.home = home;
    this.doors = doors;
    directory = home.resolve("life0");
    store = open();
  }

  private SqliteStore open() {
    return SqliteStore.open(
        ReadyTables.in(directory),
        StoreSettings.of(Stores.POLICY, Grouping.BY_HOST, () -> now).with(LIMITS));
  }

  Instant now() {
    return now;
  }

  void pass(Duration time) {
    lines.add("-- " + time + " pass");
    now = now.plus(time);
  }

  /** Makes a call on both; they must answer alike, and know the same afterwards. */
  <T> Answer<T> both(String line, Function<CrawlStore, T> call) {
    lines.add(line);
    Answer<T> right = answer(model, call);
    lines.set(lines.size() - 1, line + " => " + shown(right));
    assertThat(answer(store, call)).as("what the store on disk answers").isEqualTo(right);
    compare();
    return right;
  }

  private static String shown(Answer<?> answer) {
    return answer
        .thrown()
        .<Object>map(Class::getSimpleName)
        .or(answer::value)
        .orElse("")
        .toString();
  }

  /** Only what a store may throw is caught; anything else ends the history. */
  private static <T> Answer<T> answer(CrawlStore store, Function<CrawlStore, T> call) {
    try {
      return new Answer<>(Optional.ofNullable(call.apply(store)), Optional.empty());
    } catch (RuntimeException thrown) {
      return new Answer<>(Optional.empty(), Optional.of(thrown.getClass()));
    }
  }

  private void compare() {
    alike("outlook", side -> side.outlook(now));
    alike("lastStartOfSource", side -> side.lastStartOfSource("list"));
    for (CrawlUrl door : doors) {
      DomainName domain = Grouping.BY_HOST.domainOf(door);
      Authority authority = door.authority();
      alike("state of " + domain, side -> side.state(domain));
      alike("templates of " + domain, side -> side.templates(domain));
      alike("lastStart of " + domain, side -> side.lastStart(domain));
      alike("robots of " + authority, side -> side.robots(authority).map(SideBySide::parts));
    }
  }

  /** A body is itself and nothing else; its bytes can be compared. */
  private static List<Object> parts(RobotsCopy copy) {
    return List.of(
        copy.authority(),
        copy.file().map(body -> HexFormat.of().formatHex(body.bytes())),
        copy.allowed(),
        copy.fetchedAt());
  }

  private void alike(String what, Function<CrawlStore, Object> question) {
    assertThat(question.apply(store)).as(what).isEqualTo(question.apply(model));
  }

  /** A process ends after all its claims were given back, and another begins. */
  void restart() {
    lines.add("-- restart");
    store.close();
    store = open();
    model.endClaims();
    compare();
  }

  /** A process is killed, and another finds what it left. */
  void kill() {
    lines.add("-- kill");
    // Waits for the writer, so that the notes of what was taken are on the disk.
    store.takeBack(Grouping.BY_HOST.domainOf(doors.getFirst()), -1, state -> state);
    Path left = home.resolve("life" + ++lives);
    copy(directory, left);
    store.close();
    directory = left;
    // The model holds nothing against a URL that was in flight; RecoveryTest has what is.
    try (Connection connection = new DataDirectory(directory).writing();
        Statement statement = connection.createStatement()) {
      statement.execute("DELETE FROM in_flight");
    } catch (SQLException failed) {
      throw new AssertionError(failed);
    }
    store = open();
    model.endClaims();
    compare();
  }

  private static void copy(Path from, Path to) {
    try (Stream<Path> files = Files.list(from)) {
      Files.createDirectories(to);
      for (Path file : files.toList()) {
        // The index into the log is made anew by whoever finds it missing.
        if (!file.toString().endsWith("-shm")) {
          Files.copy(file, to.resolve(file.getFileName()));
        }
      }
    } catch (IOException failed) {
      throw new AssertionError(failed);
    }
  }

  /** What is on disk must be able to be true. */
  void examine() {
    lines.add("-- the doctor looks");
    assertThat(new Doctor(new DataDirectory(directory)).examine(_ -> {}))
        .filteredOn(examination -> !examination.isSound())
        // The history settles at random times: no engine paces it or waits for rests. Every other
        // check must find nothing.
        .filteredOn(examination -> !PACED.contains(examination.check()))
        .as("what the doctor finds")
        .isEmpty();
  }

  public List<String> lines() {
    return lines;
  }

  @Override
  public void close() {
    store.close();
  }
}
