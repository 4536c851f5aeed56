package dev.comity.web.http;

import dev.comity.web.http.Http1Connection.Endpoint;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;

/** Connections that wait for another request, the least recently used going first. */
final class Http1Pool implements AutoCloseable {
  private final int most;
  private final Duration keepAlive;
  private final Map<Endpoint, Deque<Http1Connection>> byEndpoint = new HashMap<>();
  private final LinkedHashSet<Http1Connection> byAge = new LinkedHashSet<>();
  private boolean closed;

  Http1Pool(int most, Duration keepAlive) {
    this.most = most;
    this.keepAlive = keepAlive;
  }

  /** The one that was used last: it is the least likely to have been closed. */
  synchronized Optional<Http1Connection> take(Endpoint endpoint) {
    Deque<Http1Connection> waiting = byEndpoint.get(endpoint);
    if (waiting == null) {
      return Optional.empty();
    }
    Http1Connection last = waiting.getLast();
    forget(last);
    if (last.hasRestedLongerThan(keepAlive)) {
      last.close();
      return take(endpoint);
    }
    return Optional.of(last);
  }

  void keep(Http1Connection connection) {
    connection.rest();
    Deque<Http1Connection> leaving = new ArrayDeque<>();
    synchronized (this) {
      byEndpoint.computeIfAbsent(connection.endpoint(), _ -> new ArrayDeque<>()).add(connection);
      byAge.add(connection);
      while (!byAge.isEmpty()
          && (closed || byAge.size() > most || byAge.getFirst().hasRestedLongerThan(keepAlive))) {
        Http1Connection eldest = byAge.getFirst();
        forget(eldest);
        leaving.add(eldest);
      }
    }
    leaving.forEach(Http1Connection::close);
  }

  private void forget(Http1Connection connection) {
    byAge.remove(connection);
    Deque<Http1Connection> waiting = byEndpoint.get(connection.endpoint());
    if (waiting != null) {
      waiting.remove(connection);
      if (waiting.isEmpty()) {
        byEndpoint.remove(connection.endpoint());
      }
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    closeIdle();
  }

  /** Closes all that are here; others may come. */
  synchronized void closeIdle() {
    byAge.forEach(Http1Connection::close);
    byAge.clear();
    byEndpoint.clear();
  }
}
