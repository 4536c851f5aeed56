package dev.comity.core.memory;

import dev.comity.core.port.source.AddAnswer;
import dev.comity.core.port.source.SourceOperations;
import dev.comity.core.port.source.SourceTurn;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.schedule.SourcePace;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The sources of a store in memory, for crawls and for operators. */
final class MemorySources implements SourceOperations {
  private final Tables tables;
  private final Map<String, Row> rows = new TreeMap<>();

  MemorySources(Tables tables) {
    this.tables = tables;
  }

  private static final class Row {
    private Optional<Duration> interval = Optional.empty();
    private Optional<Instant> lastStart = Optional.empty();
    private long urls;
  }

  /** A URL that names a source has entered; the source is made where it is missing. */
  void entered(QueuedUrl url) {
    url.source().ifPresent(name -> rows.computeIfAbsent(name, _ -> new Row()).urls++);
  }

  SourcePace pace(String name) {
    Row row = rows.get(name);
    return row == null
        ? SourcePace.FREE
        : SourcePace.of(row.interval, tables.policy.minimumInterval(), row.lastStart);
  }

  Optional<Instant> lastStart(String name) {
    return Optional.ofNullable(rows.get(name)).flatMap(row -> row.lastStart);
  }

  SourceTurn takeTurn(String name, Instant now) {
    SourcePace pace = pace(name);
    Optional<Instant> due = pace.dueAfter(now);
    Row row = rows.get(name);
    if (due.isPresent()) {
      // A start in the future is one of a clock that was wrong.
      correct(row, now);
      return new SourceTurn.NotBefore(due.get());
    }
    if (row != null) {
      row.lastStart = Optional.of(now);
    }
    return new SourceTurn.TurnTaken(pace.started(now));
  }

  private static void correct(@Nullable Row row, Instant now) {
    if (row != null) {
      row.lastStart = row.lastStart.map(last -> last.isAfter(now) ? now : last);
    }
  }

  /** The log has a request that started then. */
  void started(String name, Instant at) {
    Row row = rows.get(name);
    if (row != null && row.lastStart.filter(last -> !last.isBefore(at)).isEmpty()) {
      row.lastStart = Optional.of(at);
    }
  }

  AddAnswer offer(QueuedUrl url, Instant now) {
    Optional<String> source = url.source();
    if (source.isPresent() && !rows.containsKey(source.get())) {
      return new AddAnswer.Refused(
          "source is %s, but there is none of that name".formatted(source.get()));
    }
    Optional<DomainRow> row = tables.domains.find(tables.naming.apply(url.url()));
    if (row.filter(one -> one.state.standing().reason().isPresent()).isPresent()) {
      return new AddAnswer.Refused(
          "%s is %s".formatted(row.get().name, row.get().state.standing().reason().get()));
    }
    if (row.filter(one -> one.urls.isKnown(url.url())).isPresent()) {
      source.ifPresent(name -> join(row.get(), url, name));
      return new AddAnswer.Duplicate();
    }
    if (tables.domains.enter(List.of(url), now).queued() == 0) {
      return new AddAnswer.Refused(
          "%s has no room for another URL".formatted(tables.naming.apply(url.url())));
    }
    return source
        .map(this::pace)
        .flatMap(pace -> pace.dueAfter(now).map(due -> deferred(pace, now, due)))
        .orElseGet(() -> new AddAnswer.Enqueued(false));
  }

  private static AddAnswer deferred(SourcePace pace, Instant now, Instant due) {
    Duration interval = pace.interval().orElseThrow();
    return new AddAnswer.Deferred(SourcePace.waitSeconds(now, due), interval, due.minus(interval));
  }

  private void join(DomainRow row, QueuedUrl url, String name) {
    boolean joined =
        row.urls.rewrite(
            one ->
                one.url().equals(url.url()) && one.source().isEmpty()
                    ? one.of(Optional.of(name))
                    : one);
    if (joined) {
      entered(url);
    }
  }

  @Override
  public boolean addSource(String name, Optional<Duration> interval) {
    synchronized (tables) {
      if (rows.containsKey(name)) {
        return false;
      }
      Row row = new Row();
      row.interval = interval;
      rows.put(name, row);
      return true;
    }
  }

  @Override
  public Optional<SourceRecord> setInterval(String name, Optional<Duration> interval) {
    synchronized (tables) {
      Row row = rows.get(name);
      if (row == null) {
        return Optional.empty();
      }
      SourceRecord before = of(name, row);
      row.interval = interval;
      tables.domains.all().forEach(domain -> domain.urls.lookAgain());
      return Optional.of(before);
    }
  }

  @Override
  public List<SourceRecord> sources() {
    synchronized (tables) {
      return rows.entrySet().stream().map(one -> of(one.getKey(), one.getValue())).toList();
    }
  }

  private SourceRecord of(String name, Row row) {
    long unfinished =
        tables.domains.all().stream().mapToLong(domain -> domain.urls.unfinishedOf(name)).sum();
    return new SourceRecord(name, row.interval, row.lastStart, row.urls, unfinished);
  }

  @Override
  public OptionalLong removeSource(String name) {
    synchronized (tables) {
      Row row = rows.remove(name);
      if (row == null) {
        return OptionalLong.empty();
      }
      for (DomainRow domain : tables.domains.all()) {
        domain.urls.rewrite(
            one -> one.source().equals(Optional.of(name)) ? one.of(Optional.empty()) : one);
        domain.urls.lookAgain();
      }
      return OptionalLong.of(row.urls);
    }
  }
}
