package dev.comity.web;

import dev.comity.web.address.AddressGuard;
import dev.comity.web.tls.RawHeadTls;
import java.io.IOException;
import java.net.ProtocolException;
import java.util.Objects;
import okhttp3.Connection;
import okhttp3.HttpUrl;
import okhttp3.Interceptor;
import okhttp3.Protocol;
import okhttp3.Response;

/**
 * The last step before the wire. A fetch passes once: the pace is counted in requests, so one that
 * the client would like to repeat by itself must not be. And it passes only on a connection whose
 * address is open to this host, for pooled and shared connections are not connected again.
 */
final class OneRequest implements Interceptor {
  private final AddressGuard guard;
  private final boolean proxied;

  /**
   * @param proxied whether connections lead to an HTTP proxy, whose address says nothing of the
   *     host
   */
  OneRequest(AddressGuard guard, boolean proxied) {
    this.guard = guard;
    this.proxied = proxied;
  }

  /** The connection is of no use any more: closed, or out of step. Nothing was sent. */
  static final class StaleConnection extends IOException {}

  /** The request was called back before its first byte. Nothing was sent. */
  static final class CalledBack extends IOException {}

  /** The client set out to ask a second time. The first answer is the answer. */
  static final class SecondRequest extends IOException {}

  /** The answer can be read in two ways, and what follows it too. */
  static final class UnclearEnd extends IOException {}

  @Override
  public Response intercept(Chain chain) throws IOException {
    Watch watch = Objects.requireNonNull(chain.request().tag(Watch.class));
    Connection connection = Objects.requireNonNull(chain.connection());
    if (!proxied) {
      HttpUrl url = chain.request().url();
      guard.admit(url.host(), connection.route().socketAddress().getAddress(), url.port());
    }
    if (watch.sent()) {
      throw new SecondRequest();
    }
    boolean shared = connection.protocol() == Protocol.HTTP_2;
    if (!watch.freshConnection() && !shared && !new IdleConnection(connection, chain).isSound()) {
      connection.socket().close();
      throw new StaleConnection();
    }
    if (!watch.mayStart()) {
      throw new CalledBack();
    }
    if (connection.socket() instanceof RawHeadTls tls) {
      tls.asked();
    }
    Response response = answer(chain, watch);
    // Where many share a connection, another thread may have written this request with its own.
    watch.underWay();
    if (!shared && !endsClearly(watch)) {
      watch.forgetAnswer();
      // Not the answer itself: to close it would be to read it to its end.
      connection.socket().close();
      throw new UnclearEnd();
    }
    // The client repeats a 503 whose Retry-After is 0; the watch has read the header already.
    return response.code() == 503
        ? response.newBuilder().removeHeader("Retry-After").build()
        : response;
  }

  /** A body that is not read has no end to miss: its connection is not used again. */
  private static boolean endsClearly(Watch watch) {
    return watch
        .answer()
        .filter(answer -> Statuses.hasBody(answer.code()) && !Framing.isClear(answer.headers()))
        .isEmpty();
  }

  /**
   * The client takes some answers for mistakes of ours and throws accordingly, over a status below
   * zero for one. While it waits for the answer, nothing can go wrong but the answer.
   */
  private static Response answer(Chain chain, Watch watch) throws IOException {
    try {
      return chain.proceed(chain.request());
    } catch (IllegalStateException | IllegalArgumentException unreadable) {
      if (watch.phase() == Phase.WAITING) {
        throw (IOException) new ProtocolException("unreadable answer").initCause(unreadable);
      }
      throw unreadable;
    }
  }
}
