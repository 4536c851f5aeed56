package dev.comity.app.support;

import dev.comity.store.DataDirectory;
import dev.comity.store.doctor.Doctor;
import dev.comity.store.doctor.Finding;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.netpreserve.jwarc.WarcReader;
import org.netpreserve.jwarc.WarcRecord;
import org.netpreserve.jwarc.WarcTargetRecord;
import tools.jackson.databind.json.JsonMapper;

/**
 * Starts a crawl, kills it after a random while, and starts it again, many times over; then lets it
 * finish. What it notices on the way is what must never be.
 */
public final class KillLoop {
  private static final JsonMapper JSON = new JsonMapper();
  private static final Duration SHORTEST_LIFE = Duration.ofMillis(20);
  private static final Duration LONGEST_LIFE = Duration.ofSeconds(2);
  private static final Duration LONGEST_END = Duration.ofMinutes(30);

  private final Path directory;
  private final ManyHosts site;
  private final Duration delay;
  private final SplittableRandom random;
  private final Path file;
  private final Set<String> acknowledged = new HashSet<>();
  private final List<Integer> starts = new ArrayList<>();
  private final List<String> complaints = new ArrayList<>();
  private int kills;
  private int unacknowledged;

  public KillLoop(Path directory, ManyHosts site, Duration delay, long seed) {
    this.directory = directory;
    this.site = site;
    this.delay = delay;
    random = new SplittableRandom(seed);
    file = directory.resolve("pages.jsonl");
  }

  /** Kills it so many times, unless it is done before, and looks closely every so often. */
  public void run(int most, int lookEvery) throws Exception {
    boolean ended = false;
    while (kills < most && !ended) {
      int before = site.visits().size();
      starts.add(before);
      try (Program program = start()) {
        ended = random.nextInt(4) > 0 && endsBeforeItAsks(program, before);
        ended = ended || program.endsWithin(life());
        if (ended) {
          require(program.ended().code() == 0, "it ended by itself with " + program.ended());
        } else {
          program.kill();
          kills++;
        }
      }
      lookAt(before, !ended);
      if (kills % lookEvery == 0) {
        examine();
      }
    }
    if (ended) {
      // Another would begin a new run, and with it a new file.
      examine();
      return;
    }
    int before = site.visits().size();
    starts.add(before);
    try (Program program = start()) {
      require(program.endsWithin(LONGEST_END), "the last one does not end");
      Said said = program.ended();
      require(said.code() == 0, "the last one ended with " + said);
    }
    lookAt(before, false);
    examine();
  }

  private Path archive() {
    return directory.resolve("warc");
  }

  /** Every page that was written has its record, and every file is whole and has its name. */
  private void examineArchive() throws IOException {
    Set<String> kept = new HashSet<>();
    try (Stream<Path> files = Files.list(archive())) {
      for (Path warc : files.toList()) {
        require(warc.toString().endsWith(".warc.gz"), "left in the archive: " + warc);
        try (WarcReader records = new WarcReader(warc)) {
          for (WarcRecord each : records) {
            if (each instanceof WarcTargetRecord answer && !each.type().equals("request")) {
              kept.add(answer.target());
            }
          }
        }
      }
    }
    List<String> missing = urls(true).stream().filter(url -> !kept.contains(url)).toList();
    require(missing.isEmpty(), "not in the archive: " + missing);
  }

  private Program start() {
    List<String> arguments = new ArrayList<>(List.of("crawl", "--quiet"));
    arguments.addAll(site.seeds());
    arguments.addAll(List.of("--delay", delay.toMillis() + "ms"));
    arguments.addAll(List.of("--max-pages", "1000000", "--max-pages-per-domain", "1000000"));
    arguments.addAll(List.of("--out", file.toString()));
    arguments.addAll(List.of("--warc", archive().toString()));
    return Program.start(directory, arguments.toArray(String[]::new));
  }

  /** Most lives are counted from their first request: starting up takes longer than many last. */
  private boolean endsBeforeItAsks(Program program, int before) throws InterruptedException {
    while (site.count() <= before) {
      if (program.endsWithin(Duration.ofMillis(5))) {
        return true;
      }
    }
    return false;
  }

  private Duration life() {
    return Duration.ofMillis(random.nextLong(SHORTEST_LIFE.toMillis(), LONGEST_LIFE.toMillis()));
  }

  /** Nothing that was in the file before this life began was asked in it. */
  private void lookAt(int before, boolean killed) throws IOException {
    List<String> asked =
        site.visits().stream()
            .skip(before)
            .filter(ManyHosts.Visit::page)
            .map(ManyHosts.Visit::url)
            .toList();
    asked.stream()
        .filter(acknowledged::contains)
        .forEach(url -> complain("asked again though it was acknowledged: " + url));
    Set<String> now = new HashSet<>(urls(false));
    acknowledged.stream()
        .filter(url -> !now.contains(url))
        .forEach(url -> complain("no longer in the file: " + url));
    acknowledged.addAll(now);
    if (killed) {
      unacknowledged += (int) asked.stream().filter(url -> !now.contains(url)).count();
    }
  }

  /** The URLs in the file, of whole lines only unless all are to be whole. */
  private List<String> urls(boolean whole) throws IOException {
    if (!Files.exists(file)) {
      return List.of();
    }
    String text = Files.readString(file);
    require(!whole || text.endsWith("\n"), "the file ends in the middle of a line");
    return text.substring(0, text.lastIndexOf('\n') + 1)
        .lines()
        .map(line -> JSON.readTree(line).get("url").stringValue())
        .toList();
  }

  private void examine() {
    DataDirectory data = new DataDirectory(directory.resolve("comity-data"));
    if (data.exists()) {
      List<Finding> wrong = new ArrayList<>();
      new Doctor(data).examine(check -> wrong.addAll(check.findings()));
      wrong.stream().limit(5).forEach(one -> complain("the doctor after " + kills + ": " + one));
    }
  }

  /** Everything that was wrong, at most so many of each; the end is looked at now. */
  public List<String> complaints() throws IOException, SQLException {
    List<String> written = urls(true);
    Set<String> once = new HashSet<>(written);
    require(
        written.size() == once.size(), "%d lines, %d pages".formatted(written.size(), once.size()));
    Set<String> all = new HashSet<>(site.everything());
    // In flight at three kills, a URL is taken for the one that kills.
    once.addAll(StoredFacts.setAside(directory.resolve("comity-data")));
    require(
        once.equals(all),
        "%d pages written or set aside, %d there".formatted(once.size(), all.size()));
    require(
        repeats() <= unacknowledged,
        "%d asked twice, %d not acknowledged".formatted(repeats(), unacknowledged));
    examineArchive();
    return complaints;
  }

  private void require(boolean holds, String otherwise) {
    if (!holds) {
      complain(otherwise);
    }
  }

  private void complain(String words) {
    if (complaints.size() < 50) {
      complaints.add(words);
    }
  }

  /** How many requests for pages were not the first for that page. */
  int repeats() {
    List<String> pages =
        site.visits().stream().filter(ManyHosts.Visit::page).map(ManyHosts.Visit::url).toList();
    return pages.size() - new HashSet<>(pages).size();
  }

  /** The shortest time between two requests to one host, as the server saw it. */
  public Duration shortestGap(boolean acrossRestarts) {
    Map<String, ManyHosts.Visit> last = new HashMap<>();
    Map<String, Integer> lastLife = new HashMap<>();
    List<ManyHosts.Visit> visits = site.visits();
    long shortest = Long.MAX_VALUE;
    int life = -1;
    for (int at = 0; at < visits.size(); at++) {
      while (life + 1 < starts.size() && starts.get(life + 1) <= at) {
        life++;
      }
      ManyHosts.Visit visit = visits.get(at);
      ManyHosts.Visit before = last.put(visit.host(), visit);
      Integer inLife = lastLife.put(visit.host(), life);
      if (before != null && (!acrossRestarts || inLife != life)) {
        shortest = Math.min(shortest, visit.nanos() - before.nanos());
      }
    }
    return Duration.ofNanos(shortest);
  }

  public String figures() {
    return ("%d kills, %d requests, %d pages, %d asked twice (%d were not acknowledged at a kill),"
            + " shortest gap %d ms, across a restart %d ms")
        .formatted(
            kills,
            site.visits().size(),
            acknowledged.size(),
            repeats(),
            unacknowledged,
            shortestGap(false).toMillis(),
            shortestGap(true).toMillis());
  }
}
