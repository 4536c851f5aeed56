package dev.comity.web;

import dev.comity.core.outcome.Announced;
import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.outcome.FetchOutcome.AddressDenied;
import dev.comity.core.outcome.FetchOutcome.Cancelled;
import dev.comity.core.outcome.FetchOutcome.ConnectionFailed;
import dev.comity.core.outcome.FetchOutcome.Undecodable;
import dev.comity.core.outcome.Fetched;
import dev.comity.core.outcome.Headers;
import dev.comity.core.outcome.RetryAfter;
import dev.comity.core.port.Fetcher;
import dev.comity.core.url.Authority;
import dev.comity.core.url.CrawlUrl;
import dev.comity.web.BodyReader.Read;
import dev.comity.web.OneRequest.CalledBack;
import dev.comity.web.OneRequest.StaleConnection;
import dev.comity.web.Watch.Answer;
import dev.comity.web.address.AddressGuard;
import dev.comity.web.address.AddressRefusal;
import dev.comity.web.address.GuardedSockets;
import dev.comity.web.address.LookupStarved;
import dev.comity.web.address.OpenFiles;
import dev.comity.web.tls.RawHeadTlsSockets;
import dev.comity.web.wall.WallSigns;
import java.io.IOException;
import java.io.InputStream;
import java.net.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import java.util.function.UnaryOperator;
import okhttp3.Call;
import okhttp3.ConnectionPool;
import okhttp3.CookieJar;
import okhttp3.EventListener;
import okhttp3.HttpUrl;
import okhttp3.Interceptor;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import okhttp3.Request;
import okhttp3.Response;
import okio.AsyncTimeout;

/**
 * Fetches over HTTP: what goes in clear with {@link Http1}, what goes over TLS or through a proxy
 * with OkHttp. Of the latter everything is switched off by which a client asks more than it was
 * told to: redirects, retries, cookies, cache, proxies of the system.
 *
 * <p>Call it on a virtual thread: interrupting one closes the socket it waits on, which is how a
 * fetch is stopped at once.
 */
public final class HttpFetcher implements Fetcher, AutoCloseable {
  private static final ScopedValue<Watch> WATCH = ScopedValue.newInstance();

  /** The port a name is looked up for; the client asks for names alone. */
  private static final ScopedValue<Integer> PORT = ScopedValue.newInstance();

  /** Counts for the fetch on this thread; a connection that many share is read by its own. */
  private static final GuardedSockets.Traffic TRAFFIC =
      new GuardedSockets.Traffic() {
        @Override
        public void arrived(int count) {
          if (WATCH.isBound()) {
            WATCH.get().bytesArrived(count);
          }
        }

        @Override
        public void left() {
          if (WATCH.isBound()) {
            WATCH.get().bytesLeft();
          }
        }
      };

  private final OkHttpClient client;
  private final AddressGuard guard;
  private final Passage passage;
  private final GuardedSockets sockets;
  private final Http1 http1;
  private final FetchSettings settings;
  private final UserAgent userAgent;
  private final InstantSource clock;
  private final BodyReader bodies;
  private final Failures failures;
  private final Descriptors descriptors = Descriptors.ofThisProcess(this::closeIdle);

  public HttpFetcher(
      FetchSettings settings, UserAgent userAgent, AddressGuard guard, InstantSource clock) {
    this(settings, userAgent, guard, Passage.DIRECT, clock);
  }

  /** A fetcher whose requests leave in a way of their own. */
  public HttpFetcher(
      FetchSettings settings,
      UserAgent userAgent,
      AddressGuard guard,
      Passage passage,
      InstantSource clock) {
    this(settings, userAgent, guard, passage, clock, passage.certificates()::applyTo);
  }

  /** A fetcher that trusts other certificates than the system does. */
  HttpFetcher(
      FetchSettings settings,
      UserAgent userAgent,
      AddressGuard guard,
      InstantSource clock,
      UnaryOperator<OkHttpClient.Builder> trust) {
    this(settings, userAgent, guard, Passage.DIRECT, clock, trust);
  }

  HttpFetcher(
      FetchSettings settings,
      UserAgent userAgent,
      AddressGuard guard,
      Passage passage,
      InstantSource clock,
      UnaryOperator<OkHttpClient.Builder> trust) {
    this.settings = settings;
    this.userAgent = userAgent;
    this.clock = clock;
    this.bodies = new BodyReader(settings);
    this.failures = new Failures(settings);
    this.guard = guard;
    this.passage = passage;
    this.sockets = new GuardedSockets(guard, passage.proxy(), TRAFFIC);
    this.http1 = new Http1(settings, sockets, bodies);
    this.client = counted(trust.apply(client(settings, guard, passage, sockets)).build());
  }

  private static OkHttpClient counted(OkHttpClient client) {
    return client
        .newBuilder()
        .sslSocketFactory(
            new RawHeadTlsSockets(client.sslSocketFactory()),
            Objects.requireNonNull(client.x509TrustManager()))
        .build();
  }

  private static OkHttpClient.Builder client(
      FetchSettings settings, AddressGuard guard, Passage passage, GuardedSockets sockets) {
    return new OkHttpClient.Builder()
        .followRedirects(false)
        .followSslRedirects(false)
        .retryOnConnectionFailure(false)
        // One address after the other, on the calling thread: no second connection is opened in
        // the hope that it is faster.
        .fastFallback(false)
        // HTTP/2 buffers up to 16 MiB a connection before a byte of it is read: no byte budget
        // would hold.
        .protocols(List.of(Protocol.HTTP_1_1))
        .cookieJar(CookieJar.NO_COOKIES)
        .cache(null)
        .proxy(passage.httpProxy().map(HttpProxy::of).orElse(Proxy.NO_PROXY))
        .proxyAuthenticator(HttpProxy.authenticator(passage.httpProxy()))
        .dns(host -> sockets.resolve(host, PORT.get()))
        .socketFactory(sockets)
        .addInterceptor(HttpFetcher::patient)
        .addNetworkInterceptor(new OneRequest(guard, passage.httpProxy().isPresent()))
        .eventListenerFactory(HttpFetcher::watchOf)
        .connectionPool(
            new ConnectionPool(
                settings.idleConnections(), settings.keepAlive().toMillis(), TimeUnit.MILLISECONDS))
        .connectTimeout(settings.connect())
        .readTimeout(settings.firstByte())
        .writeTimeout(settings.idle())
        .callTimeout(settings.total());
  }

  /** How long a first byte may take is known only per request. */
  private static Response patient(Interceptor.Chain chain) throws IOException {
    Watch watch = chain.request().tag(Watch.class);
    return watch == null
        ? chain.proceed(chain.request())
        : chain
            .withReadTimeout((int) watch.patience().toMillis(), TimeUnit.MILLISECONDS)
            .proceed(chain.request());
  }

  private static Duration shorter(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }

  private static EventListener watchOf(Call call) {
    Watch watch = call.request().tag(Watch.class);
    return watch == null ? EventListener.NONE : watch;
  }

  @Override
  public Fetched fetch(CrawlUrl url, Want want, Duration firstByte, Departure departure)
      throws InterruptedException {
    Watch watch = new Watch(shorter(firstByte, settings.firstByte()), departure);
    Read read =
        ScopedValue.where(WATCH, watch)
            .where(PORT, url.port())
            .<Read, InterruptedException>call(() -> connecting(url, want, watch));
    Headers headers = watch.answer().map(Answer::headers).orElse(Headers.NONE);
    Fetched fetched =
        new Fetched(read.outcome(), watch.firstByte(), watch.elapsed(), read.wireBytes())
            .announcing(announced(read.outcome(), headers));
    return want == Want.PAGE ? WallSigns.judged(url, headers, fetched) : fetched;
  }

  /** A redirect may say how long to stay away, too; a refusal has said so already. */
  private Announced announced(FetchOutcome outcome, Headers headers) {
    Instant now = clock.instant();
    Announced said = Announced.read(headers, now);
    return outcome instanceof FetchOutcome.Redirect
        ? said.resting(RetryAfter.read(headers, now).orElse(Duration.ZERO))
        : said;
  }

  @Override
  public boolean reaches(Authority authority) throws InterruptedException {
    boolean reached = sockets.reaches(authority.host(), authority.port(), settings.connect());
    if (!reached && Thread.interrupted()) {
      throw new InterruptedException("the attempt to connect was stopped");
    }
    return reached;
  }

  /** The first address that would be tried; it is the one that is asked unless it is dead. */
  @Override
  public String address(Authority authority) throws InterruptedException {
    try {
      guard.admitPort(authority.host(), authority.port());
      return guard.resolve(authority.host(), authority.port()).getFirst().getHostAddress();
    } catch (IOException _) {
      if (Thread.interrupted()) {
        throw new InterruptedException("the look-up was stopped");
      }
      return authority.host();
    }
  }

  /** Asks as soon as there is a file descriptor for a connection. */
  private Read connecting(CrawlUrl url, Want want, Watch watch) throws InterruptedException {
    while (true) {
      watch.hold(descriptors::enter);
      boolean[] connected = {false};
      watch.whenConnected(
          () -> {
            connected[0] = true;
            descriptors.connected();
          });
      try {
        return affordable(url, want, watch);
      } catch (OutOfDescriptors _) {
        // Nothing was sent: it is tried again.
      } finally {
        descriptors.leave(connected[0]);
      }
      watch.hold(descriptors::ranOut);
    }
  }

  /** No connection could be opened because the process may open no more files. */
  private static final class OutOfDescriptors extends IOException {}

  /** An answer that needs more memory than there is costs its URL, not the crawl. */
  private Read affordable(CrawlUrl url, Want want, Watch watch)
      throws OutOfDescriptors, InterruptedException {
    try {
      return readOf(url, want, watch);
    } catch (OutOfMemoryError _) {
      return new Read(
          watch
              .answer()
              .<FetchOutcome>map(
                  answer -> new Undecodable(answer.code(), "reading it took too much memory"))
              .orElseGet(Cancelled::new),
          0);
    }
  }

  private Read readOf(CrawlUrl url, Want want, Watch watch)
      throws OutOfDescriptors, InterruptedException {
    try {
      admit(url);
    } catch (AddressRefusal refusal) {
      return new Read(refusal.outcome(), 0);
    }
    if (isPlain(url)) {
      return plainly(url, want, watch);
    }
    Optional<HttpUrl> target = httpUrl(url);
    if (target.isEmpty()) {
      return new Read(new AddressDenied(url.host()), 0);
    }
    Request request = request(url, target.get(), want, watch);
    while (true) {
      Call call = client.newCall(request);
      try (Response response = call.execute()) {
        return answered(url, want, watch, call, response);
      } catch (StaleConnection _) {
        // Nothing was sent and that connection is gone: the next one is no second request.
        stopIfInterrupted(call);
      } catch (CalledBack _) {
        return new Read(new Cancelled(), 0);
      } catch (IOException failure) {
        stopIfInterrupted(call);
        return new Read(failed(url, watch, failure), 0);
      }
    }
  }

  /**
   * Whether we ask it ourselves: HTTP/2 and TLS are the client's, and so is speaking to a proxy.
   */
  private boolean isPlain(CrawlUrl url) {
    return url.scheme().equals("http") && passage.httpProxy().isEmpty();
  }

  private Read plainly(CrawlUrl url, Want want, Watch watch)
      throws OutOfDescriptors, InterruptedException {
    try {
      return http1
          .ask(url, headers(url, want), want, watch)
          .orElseGet(() -> new Read(judged(url, watch.answer().orElseThrow()), 0));
    } catch (IOException failure) {
      if (Thread.interrupted()) {
        throw new InterruptedException("the fetch was stopped");
      }
      return new Read(failed(url, watch, failure), 0);
    }
  }

  private String headers(CrawlUrl url, Want want) {
    StringBuilder headers = new StringBuilder(256);
    passage.headers().of(url).forEach(line -> line(headers, line.name(), line.value()));
    line(headers, "User-Agent", userAgent.header());
    line(headers, "Accept", accepted(want));
    line(headers, "Accept-Encoding", ContentCoding.offered());
    return headers.toString();
  }

  private static void line(StringBuilder headers, String name, String value) {
    headers.append(name).append(": ").append(value).append("\r\n");
  }

  /** What can be refused before anything is asked of anybody; the rest is at the door. */
  private void admit(CrawlUrl url) throws AddressRefusal {
    if (passage.httpProxy().isPresent()) {
      guard.admitUnseen(url.host(), url.port());
    } else {
      guard.admitPort(url.host(), url.port());
    }
  }

  private static void stopIfInterrupted(Call call) throws InterruptedException {
    if (Thread.interrupted()) {
      call.cancel();
      throw new InterruptedException("the fetch was stopped");
    }
  }

  private Read answered(CrawlUrl url, Want want, Watch watch, Call call, Response response)
      throws IOException, InterruptedException {
    Answer answer = watch.answer().orElseThrow();
    if (!Statuses.hasBody(answer.code())) {
      return new Read(judged(url, answer), 0);
    }
    response.body().source().timeout().timeout(settings.idle().toMillis(), TimeUnit.MILLISECONDS);
    InputStream body = response.body().byteStream();
    return bodies.read(
        answer.code(),
        answer.headers(),
        want,
        Framing.isListed(answer.headers())
            ? new OfLength(body, Framing.length(answer.headers()).orElseThrow())
            : body,
        length -> reserve(length, watch, call));
  }

  /** Stops the client's clock for the whole call while the body waits for memory. */
  private void reserve(long length, Watch watch, Call call) throws InterruptedException {
    AsyncTimeout whole = (AsyncTimeout) call.timeout();
    boolean over = whole.exit();
    watch.reserve(length);
    if (!over) {
      long left = watch.deadline(settings.total()) - System.nanoTime();
      whole.timeout(Math.max(1, left), TimeUnit.NANOSECONDS);
      whole.enter();
    }
  }

  /**
   * The client throws over some answers that are clear to us, such as a 407 without a proxy or a
   * 204 with a length. Where the status says it all, it counts.
   */
  private FetchOutcome failed(CrawlUrl url, Watch watch, IOException failure)
      throws OutOfDescriptors {
    if (!watch.sent() && (failure instanceof LookupStarved || OpenFiles.ranOut(failure))) {
      throw new OutOfDescriptors();
    }
    return watch
        .answer()
        .filter(answer -> !Statuses.hasBody(answer.code()))
        .map(answer -> judged(url, answer))
        .orElseGet(() -> blamed(failures.explained(failure, watch), watch));
  }

  /**
   * A connection that broke while its body waited for memory as long as we would wait for the
   * server: that is our fault, and the URL is asked again.
   */
  private FetchOutcome blamed(FetchOutcome failure, Watch watch) {
    return failure instanceof ConnectionFailed && watch.heldUp().compareTo(settings.idle()) >= 0
        ? new Cancelled()
        : failure;
  }

  private FetchOutcome judged(CrawlUrl url, Answer answer) {
    if (answer.code() == HttpProxy.LOG_IN_REFUSED && passage.httpProxy().isPresent()) {
      // It is the proxy that speaks, and not of this URL.
      return new ConnectionFailed("the proxy wants another log-in");
    }
    return Statuses.outcome(url, answer.code(), answer.headers(), clock.instant());
  }

  private Request request(CrawlUrl url, HttpUrl target, Want want, Watch watch) {
    Request.Builder request = new Request.Builder().url(target);
    passage.headers().of(url).forEach(line -> request.addHeader(line.name(), line.value()));
    passage.httpProxy().ifPresent(proxy -> HttpProxy.introduce(request, target, proxy));
    return request
        .header("User-Agent", userAgent.header())
        .header("Accept", accepted(want))
        .header("Accept-Encoding", ContentCoding.offered())
        .tag(Watch.class, watch)
        .build();
  }

  private static String accepted(Want want) {
    return switch (want) {
      case PAGE -> "text/html,application/xhtml+xml;q=0.9,*/*;q=0.1";
      case ROBOTS -> "text/plain,*/*;q=0.1";
      case SITEMAP -> "application/xml,text/xml;q=0.9,text/plain;q=0.8,*/*;q=0.1";
    };
  }

  /** The client's own reading of the URL, as long as it finds the same host in it as we do. */
  private static Optional<HttpUrl> httpUrl(CrawlUrl url) {
    String host = url.host().replaceAll("^\\[|]$", "");
    return Optional.ofNullable(HttpUrl.parse(url.toString()))
        .filter(parsed -> parsed.host().equals(host) && parsed.port() == url.port());
  }

  private void closeIdle() {
    http1.closeIdle();
    client.connectionPool().evictAll();
  }

  /**
   * Has somebody told, once, that connections have to wait for want of file descriptors.
   *
   * @param listener hears how many the process may have
   */
  public void tellOfShortage(LongConsumer listener) {
    descriptors.tell(listener);
  }

  /** Closes the connections that are kept for reuse. */
  @Override
  public void close() {
    http1.close();
    client.dispatcher().executorService().shutdown();
    client.connectionPool().evictAll();
  }
}
