package dev.comity.web;

import dev.comity.core.outcome.Headers;
import dev.comity.core.port.Fetcher.Departure;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import okhttp3.Call;
import okhttp3.EventListener;
import okhttp3.Handshake;
import okhttp3.Protocol;
import okhttp3.Request;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;

/**
 * Follows one fetch: reports its start, and remembers how far it got and what the answer's first
 * lines said. The client fires these events on the thread that runs the call, and there it also
 * reads the socket, unless many calls share it (HTTP/2).
 */
final class Watch extends EventListener {
  private final Duration patience;
  private final Departure departure;
  private final long began = System.nanoTime();
  private Phase phase = Phase.CONNECTING;
  private boolean freshConnection;
  private boolean sent;
  private boolean underWay;
  private Runnable connected = () -> {};
  private long sentAt;
  private long arrived;
  private long heldUp;
  private Optional<Duration> firstByte = Optional.empty();
  private Optional<Answer> answer = Optional.empty();

  /** The first lines of an answer. */
  record Answer(int code, Headers headers) {}

  /**
   * @param patience how long the first byte of the answer may take
   */
  Watch(Duration patience, Departure departure) {
    this.patience = patience;
    this.departure = departure;
  }

  /** Has this told when the connection is there. */
  void whenConnected(Runnable listener) {
    connected = listener;
  }

  Duration patience() {
    return patience;
  }

  Phase phase() {
    return phase;
  }

  /** Whether this fetch opened the connection it uses. */
  boolean freshConnection() {
    return freshConnection;
  }

  /** Whether the request may be written; asked once, right before. */
  boolean mayStart() {
    connected.run();
    return departure.start();
  }

  /** Bytes went out to the wire. The first that do once a request is being sent are its own. */
  void bytesLeft() {
    if (sent) {
      underWay();
    }
  }

  /** The first byte of the request has left. */
  void underWay() {
    if (!underWay) {
      underWay = true;
      sentAt = System.nanoTime();
      departure.started();
    }
  }

  /** Whether a request was written, in part or whole. */
  boolean sent() {
    return sent;
  }

  /** How many bytes the wire brought since the request was sent; 0 on a shared connection. */
  long arrived() {
    return arrived;
  }

  Optional<Duration> firstByte() {
    return firstByte;
  }

  Optional<Answer> answer() {
    return answer;
  }

  /** The answer was meant for another question. */
  void forgetAnswer() {
    answer = Optional.empty();
  }

  /** Bytes came in from the wire. */
  void bytesArrived(int count) {
    if (sent) {
      arrived += count;
      markFirstByte();
    }
  }

  private void markFirstByte() {
    if (firstByte.isEmpty()) {
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
  interface Hold {
    void await() throws InterruptedException;
  }

  /** Waits; no clock of the fetch runs meanwhile. */
  void hold(Hold wait) throws InterruptedException {
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
    answer = Optional.of(new Answer(code, headers));
  }

  @Override
  public void dnsStart(Call call, String domainName) {
    phase = Phase.RESOLVING;
  }

  @Override
  public void connectStart(Call call, InetSocketAddress address, Proxy proxy) {
    phase = Phase.CONNECTING;
  }

  @Override
  public void secureConnectStart(Call call) {
    phase = Phase.SECURING;
  }

  @Override
  public void secureConnectEnd(Call call, @Nullable Handshake handshake) {
    phase = Phase.CONNECTING;
  }

  @Override
  public void connectEnd(
      Call call, InetSocketAddress address, Proxy proxy, @Nullable Protocol protocol) {
    freshConnection = true;
  }

  @Override
  public void requestHeadersStart(Call call) {
    sending();
  }

  @Override
  public void requestHeadersEnd(Call call, Request request) {
    phase = Phase.WAITING;
  }

  @Override
  public void responseHeadersStart(Call call) {
    markFirstByte();
  }

  @Override
  public void responseHeadersEnd(Call call, Response response) {
    Headers.Draft headers = new Headers.Draft();
    boolean isRaw = response.handshake() != null; // By RawHeadTls.
    for (int line = 0; line < response.headers().size(); line++) {
      String value = response.headers().value(line);
      headers.add(response.headers().name(line), isRaw ? value : bytes(value));
    }
    answered(response.code(), headers.done());
  }

  /** The client reads headers as UTF-8; this is the value as its bytes again. */
  private static String bytes(String value) {
    return new String(value.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
  }
}
