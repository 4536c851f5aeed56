package dev.comity.store.support;

import dev.comity.core.policy.DomainState;
import dev.comity.core.policy.Slots;
import dev.comity.core.policy.learning.LearnedDelay;
import dev.comity.core.policy.lifecycle.CloseReason;
import dev.comity.core.policy.lifecycle.DomainStatus;
import dev.comity.core.policy.lifecycle.Standing;
import dev.comity.store.DataDirectory;
import dev.comity.store.ServerDatabase;
import dev.comity.store.StoreLocation;
import dev.comity.store.doctor.Doctor;
import dev.comity.store.sql.DomainStateJson;
import dev.comity.store.sql.Schema;
import dev.comity.store.sql.Statements;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** A store whose rows a test puts there itself, whatever the crawler would make of them. */
public record Planted(StoreLocation place) {
  /** A moment while able.example is being crawled. */
  public static final Instant NOW = Instant.ofEpochSecond(1_700_000_100);

  /** Tables with nothing in them. */
  public static Planted empty(Path home) {
    DataDirectory directory = new DataDirectory(home);
    Schema.migrate(directory);
    return new Planted(directory);
  }

  /** What a small crawl leaves behind. */
  public static Planted sound(Path home) {
    Planted planted = empty(home);
    String script =
        script()
            .replace("${able}", DomainStateJson.encode(asked()))
            .replace("${baker}", DomainStateJson.encode(taught(Duration.ofMillis(2500))));
    planted.run(script.split(";\n", -1));
    return planted;
  }

  /** A domain being crawled, with nothing learned. */
  private static DomainState asked() {
    DomainState fresh = DomainState.FRESH;
    return new DomainState(
        Standing.ACTIVE,
        fresh.limits(),
        lastAsked(1_700_000_040),
        fresh.learning(),
        fresh.failures(),
        fresh.latency(),
        fresh.heard());
  }

  private static Slots lastAsked(long second) {
    Slots fresh = DomainState.FRESH.slots();
    return new Slots(Instant.ofEpochSecond(second), fresh.restUntil(), fresh.why());
  }

  /** A domain closed for 14 days that was refused at 1.5 s. */
  public static DomainState taught(Duration learned) {
    LearnedDelay nothing = DomainState.FRESH.learning();
    LearnedDelay learning =
        new LearnedDelay(
            learned,
            Optional.of(Duration.ofMillis(1500)),
            nothing.floor(),
            nothing.row(),
            nothing.probe(),
            nothing.incident(),
            nothing.lastRefusal(),
            nothing.evidence());
    DomainState fresh = DomainState.FRESH;
    return new DomainState(
        new Standing(
            DomainStatus.BLOCKED,
            Optional.of(CloseReason.FORBIDDEN),
            Optional.of(Instant.ofEpochSecond(1_701_209_660)),
            1),
        fresh.limits(),
        lastAsked(1_700_000_030),
        learning,
        fresh.failures(),
        fresh.latency(),
        fresh.heard());
  }

  /** The same on a server, whose tables are there and empty. */
  public static Planted soundOn(ServerDatabase server, Path home) {
    CopiedRows.copy(sound(home).directory(), server);
    return new Planted(server);
  }

  public DataDirectory directory() {
    return (DataDirectory) place;
  }

  public Planted run(String... statements) {
    try (Statements writing = new Statements(place.writing(), place.dialect())) {
      for (String statement : statements) {
        if (!statement.isBlank()) {
          writing.execute(statement);
        }
      }
    }
    return this;
  }

  public long number(String sql) {
    try (Statements reading = Statements.reading(place)) {
      return reading.number("SELECT (" + sql + ")");
    }
  }

  public String text(String sql) {
    try (Statements reading = Statements.reading(place)) {
      return reading.first("SELECT (" + sql + ") AS t", row -> row.text("t")).orElseThrow();
    }
  }

  /** What the doctor finds, as lines. */
  public List<String> findings() {
    return new Doctor(place)
        .examine(_ -> {}).stream()
            .flatMap(
                examination ->
                    examination.findings().stream()
                        .map(
                            finding ->
                                "%s %s: %s"
                                    .formatted(
                                        examination.check(), finding.subject(), finding.words())))
            .toList();
  }

  private static String script() {
    try (InputStream script = Planted.class.getResourceAsStream("sound.sql")) {
      if (script == null) {
        throw new IllegalStateException("sound.sql is missing");
      }
      return new String(script.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }
}
