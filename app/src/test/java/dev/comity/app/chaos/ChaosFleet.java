package dev.comity.app.chaos;

import dev.comity.app.chaos.ChaosHistory.Fault;
import dev.comity.app.chaos.ChaosPlan.FaultKind;
import dev.comity.app.support.Program;
import dev.comity.app.support.Said;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;

/** Workers as processes on one database, and what is done to them. */
final class ChaosFleet implements AutoCloseable {
  private static final Duration FARTHEST_CLOCK = Duration.ofMinutes(10);
  private static final Duration AWAY = Duration.ofSeconds(30);
  private static final int TERMINATED = 143;
  private static final int NO_STORE = 5;

  private final ChaosPlan plan;
  private final Path directory;
  private final ChaosOrigin origin;
  private final ChaosDatabase database;
  private final Optional<ChaosRedis> redis;
  private final SplittableRandom random;
  private final Path agent;
  private final List<Program> workers = new ArrayList<>();
  private final List<Program> gone = new ArrayList<>();
  private final List<Fault> faults = new ArrayList<>();

  ChaosFleet(ChaosPlan plan, Path directory, ChaosOrigin origin, ChaosDatabase database)
      throws IOException {
    redis = plan.needsRedis() ? Optional.of(new ChaosRedis()) : Optional.empty();
    this.plan = plan;
    this.directory = directory;
    this.origin = origin;
    this.database = database;
    random = new SplittableRandom(plan.seed());
    agent = agent(directory.resolve("clock.jar"));
  }

  /** The agent that sets clocks, in a jar of its own. */
  private static Path agent(Path jar) throws IOException {
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest.getMainAttributes().putValue("Premain-Class", ClockAgent.class.getName());
    List<String> names = List.of("ClockAgent.class", "ClockAgent$1.class");
    try (OutputStream out = Files.newOutputStream(jar);
        JarOutputStream entries = new JarOutputStream(out, manifest)) {
      for (String name : names) {
        entries.putNextEntry(
            new JarEntry(ClockAgent.class.getPackageName().replace('.', '/') + "/" + name));
        entries.write(
            Objects.requireNonNull(ClockAgent.class.getResourceAsStream(name)).readAllBytes());
      }
    }
    return jar;
  }

  /** Starts all workers; the first begins the run. */
  void start() throws Exception {
    List<String> crawl = new ArrayList<>(List.of("crawl", "--quiet", "--db", database.url(0)));
    crawl.addAll(origin.seeds());
    crawl.addAll(List.of("--delay", plan.delay().toMillis() + "ms"));
    crawl.addAll(List.of("--lease", plan.lease().toMillis() + "ms"));
    crawl.addAll(List.of("--max-pages", "1000000", "--max-pages-per-domain", "1000000"));
    crawl.addAll(frontier());
    workers.add(Program.start(directory, clock(), List.of(), crawl.toArray(String[]::new)));
    await("a run", "SELECT count(*) FROM crawl_runs WHERE settings IS NOT NULL");
    for (int number = 1; number < plan.workers(); number++) {
      workers.add(worker(number));
    }
  }

  private Program worker(int number) {
    List<String> worker = new ArrayList<>(List.of("worker", "--quiet"));
    worker.addAll(List.of("--db", database.url(number), "--name", "w" + number));
    worker.addAll(frontier());
    return Program.start(directory, clock(), List.of(), worker.toArray(String[]::new));
  }

  private List<String> frontier() {
    return redis.map(server -> List.of("--frontier", server.url())).orElse(List.of());
  }

  /** A clock that is wrong by up to ten minutes, where the plan says so. */
  private List<String> clock() {
    long most = FARTHEST_CLOCK.toSeconds();
    long seconds = plan.clocksApart() ? random.nextLong(-most, most + 1) : 0;
    return seconds == 0 ? List.of() : List.of("-javaagent:" + agent + "=" + seconds);
  }

  private void await(String what, String query) throws Exception {
    Instant end = Instant.now().plusSeconds(60);
    while (true) {
      try (HistoryReader reader = new HistoryReader(database.url())) {
        if (reader.number(query) > 0) {
          return;
        }
      }
      if (workers.getFirst().endsWithin(Program.A_LOOK) || Instant.now().isAfter(end)) {
        throw new AssertionError("there is not " + what + ": " + said());
      }
    }
  }

  /** What the workers that have ended said, for a failure. */
  List<Said> said() {
    return Stream.concat(gone.stream(), workers.stream())
        .filter(worker -> !worker.isRunning())
        .map(Program::ended)
        .toList();
  }

  /** Breaks something every few seconds, for as long as planned or until the run is over. */
  void breakThings() throws Exception {
    Instant end = Instant.now().plus(plan.breaking());
    Instant first = Instant.now().plus(plan.breaking().dividedBy(3));
    List<FaultKind> kinds = List.copyOf(plan.kinds());
    List<FaultKind> once = new ArrayList<>(plan.once());
    while (!kinds.isEmpty() && Instant.now().isBefore(end) && isRunning()) {
      // Until the origin is asked again the last fault is not over.
      lets(random.nextInt(plan.hosts()) + 10, Duration.ofSeconds(random.nextInt(8, 15)));
      boolean isTime = !once.isEmpty() && Instant.now().isAfter(first);
      fault(isTime ? once.removeFirst() : kinds.get(random.nextInt(kinds.size())));
    }
  }

  /** Lets the workers send so many requests, but for no longer than this. */
  private void lets(int requests, Duration most) throws InterruptedException {
    Instant end = Instant.now().plus(most);
    int wanted = origin.count() + requests;
    while (origin.count() < wanted && Instant.now().isBefore(end)) {
      origin.awaitRequest(Program.A_LOOK);
      restart();
    }
  }

  /**
   * Starts workers again that could not join, since the server was away: what a service manager
   * does. A worker that has joined must not end with the server.
   */
  private void restart() {
    for (int number = 0; number < workers.size(); number++) {
      Program worker = workers.get(number);
      if (!worker.isRunning() && couldNotJoin(worker.ended())) {
        gone.add(worker);
        workers.set(number, worker(number));
      }
    }
  }

  private static boolean couldNotJoin(Said said) {
    return said.code() == NO_STORE && said.out().isEmpty();
  }

  private void passes(Duration time) throws InterruptedException {
    lets(Integer.MAX_VALUE / 2, time);
  }

  private void fault(FaultKind kind) throws Exception {
    // The first worker has claimed the most: what happens once happens to it.
    int number = plan.kinds().size() == 1 ? 0 : random.nextInt(plan.workers());
    restart();
    Program worker = workers.get(number);
    if (!worker.isRunning()) {
      throw new AssertionError("worker " + number + " has ended by itself: " + worker.ended());
    }
    Duration pastLease = plan.lease().plusSeconds(2);
    Instant at = Instant.now();
    switch (kind) {
      case KILL -> {
        worker.kill();
        gone.add(worker);
        workers.set(number, worker(number));
      }
      case FREEZE -> {
        worker.signal("STOP");
        passes(pastLease);
        worker.signal("CONT");
      }
      case CRASH -> database.crash();
      case PROMOTE -> database.promote();
      case RESET -> database.proxy(number).reset();
      case EATEN_COMMIT -> database.proxy(number).cutAtCommit(false);
      case LATENCY -> {
        database.proxy(number).delay(Duration.ofMillis(200));
        passes(plan.lease());
        database.proxy(number).delay(Duration.ZERO);
      }
      case BLACK_HOLE -> {
        database.proxy(number).swallow(true);
        passes(pastLease);
        database.proxy(number).swallow(false);
      }
      case DISK_FULL -> {
        database.full(true);
        passes(plan.lease());
        database.full(false);
      }
      case REDIS_CRASH -> redis.orElseThrow().restart();
      case REDIS_FLUSH -> redis.orElseThrow().flush();
      case REDIS_CUT -> redis.orElseThrow().cut();
      case REDIS_HOLE -> {
        redis.orElseThrow().swallow(true);
        passes(pastLease);
        redis.orElseThrow().swallow(false);
      }
      case AWAY -> {
        database.stop();
        passes(AWAY);
        database.start();
      }
    }
    faults.add(new Fault(kind + " " + number, at, Instant.now()));
  }

  private boolean isRunning() throws SQLException {
    try (HistoryReader reader = new HistoryReader(database.url())) {
      return reader.run().status().equals("running");
    }
  }

  /** Waits for the end of the run, then stops the workers. */
  void finish(Duration most) throws Exception {
    Instant end = Instant.now().plus(most);
    while (isRunning() && Instant.now().isBefore(end)) {
      passes(Duration.ofMillis(500));
    }
    for (Program worker : workers) {
      if (worker.isRunning()) {
        worker.signal("TERM");
      }
    }
    for (Program worker : workers) {
      worker.endsWithin(Duration.ofSeconds(30));
    }
  }

  /** What happened. */
  ChaosHistory history() throws SQLException {
    try (HistoryReader reader = new HistoryReader(database.url())) {
      ChaosHistory.Terms terms =
          new ChaosHistory.Terms(
              plan.delay(),
              plan.lag(),
              plan.lease(),
              5,
              1_000_000,
              1_000_000,
              Duration.ofMinutes(10),
              reader.matrix(),
              origin.allowed(),
              origin.everything());
      return new ChaosHistory(
          terms,
          origin.visits(),
          reader.leases(),
          reader.log(),
          reader.changes(),
          reader.domains(),
          List.copyOf(faults),
          reader.run());
    }
  }

  List<Fault> faults() {
    return List.copyOf(faults);
  }

  /** What workers that ended by themselves said. */
  List<String> complaints() throws IOException {
    List<String> words = new ArrayList<>();
    for (Program worker : workers) {
      if (!worker.isRunning()) {
        Said said = worker.ended();
        if (said.code() != 0 && said.code() != TERMINATED && !couldNotJoin(said)) {
          words.add("a worker ended with " + said);
        }
      }
    }
    return words;
  }

  @Override
  public void close() {
    workers.forEach(Program::close);
    gone.forEach(Program::close);
    redis.ifPresent(ChaosRedis::close);
  }
}
