package dev.comity.web.http;

import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.outcome.Headers;
import dev.comity.core.port.fetch.Fetcher.Departure;
import dev.comity.core.port.fetch.Validators;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Follows one fetch: reports its start, and remembers how far it got and what the answer's first
 * lines said. It belongs to the thread of the fetch.
 */
final class FetchProgress {
  private final Duration patience;
  private final Departure departure;
  private final long began = System.nanoTime();
  private Phase phase = Phase.CONNECTING;
  private boolean sent;
  private boolean underWay;
  private Runnable connected = () -> {};
  private long sentAt;
  private long heldUp;
  private Optional<Duration> firstByte = Optional.empty();
  private Optional<ResponseHead> answer = Optional.empty();
  private final @Nullable WireTape tape;

  /** How far a request got. */
  enum Phase {
    RESOLVING("looking up the name"),
    CONNECTING("connecting"),
    SECURING("in the TLS handshake"),
    SENDING("sending the request"),
    WAITING("waiting for the answer"),
    READING("reading the body");

    private final String words;

    Phase(String words) {
      this.words = words;
    }

    /** Fits after "while" in a sentence. */
    String words() {
      return words;
    }
  }

  /** The first lines of an answer. */
  record ResponseHead(int code, Headers headers) {}

  /**
   * @param patience how long the first byte of the answer may take
   */
  FetchProgress(Duration patience, Departure departure) {
    this.patience = patience;
    this.departure = departure;
    tape = departure.keepsExchange() ? new WireTape(this::reserve) : null;
  }

  /** Sets the listener that is called once connected. */
  void whenConnected(Runnable listener) {
    connected = listener;
  }

  /** Records the answer, where it is to be kept. */
  @Nullable WireTape tape() {
    return tape;
  }

  /** Whether a body packed by gzip is to be had as it came, too. */
  boolean keepsReceived() {
    return departure.keepsReceived();
  }

  Duration patience() {
    return patience;
  }

  Phase phase() {
    return phase;
  }

  /** Of the version of the page that is known. */
  Validators validators() {
    return departure.validators();
  }

  /** Whether the request may be written; asked once, right before. */
  boolean mayStart() {
    connected.run();
    return departure.start();
  }

  /** The first byte of the request has left. */
  void underWay() {
    if (!underWay) {
      underWay = true;
      sentAt = System.nanoTime();
      departure.started();
    }
  }

  /** The outcome of an answer whose body is not to be read. */
  Optional<FetchOutcome> refused(int code, Headers headers) {
    return departure.refuse(code, headers);
  }

  /** Whether a request was written, in part or whole. */
  boolean sent() {
    return sent;
  }

  Optional<Duration> firstByte() {
    return firstByte;
  }

  Optional<ResponseHead> answer() {
    return answer;
  }

  /** Bytes of the answer came in. */
  void bytesArrived() {
    if (sent && firstByte.isEmpty()) {
      firstByte = Optional.of(Duration.ofNanos(System.nanoTime() - sentAt));
    }
  }

  /** From the beginning until now, without the waits for memory. */
  Duration elapsed() {
    return Duration.ofNanos(System.nanoTime() - began - heldUp);
  }

  /** Waits until there is memory for a body of this length. */
  void reserve(long length) throws InterruptedException {
    hold(() -> departure.reserve(length));
  }

  /** A wait for what this machine lacks. */
  @FunctionalInterface
  interface BlockingWait {
    void await() throws InterruptedException;
  }

  /** Waits; no clock of the fetch runs meanwhile. */
  void hold(BlockingWait wait) throws InterruptedException {
    long from = System.nanoTime();
    wait.await();
    heldUp += System.nanoTime() - from;
  }

  /** How long it had to wait for this machine. */
  Duration heldUp() {
    return Duration.ofNanos(heldUp);
  }

  /** By when everything must be over, on the clock of {@link System#nanoTime}. */
  long deadline(Duration total) {
    return began + heldUp + total.toNanos();
  }

  void enter(Phase next) {
    phase = next;
  }

  /** The request is about to be written. */
  void sending() {
    phase = Phase.SENDING;
    if (!sent) {
      sent = true;
      sentAt = System.nanoTime();
    }
  }

  /** The first lines of the answer are there. */
  void answered(int code, Headers headers) {
    phase = Phase.READING;
    answer = Optional.of(new ResponseHead(code, headers));
  }
}
