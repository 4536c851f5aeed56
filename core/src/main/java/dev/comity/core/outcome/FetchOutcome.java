package dev.comity.core.outcome;

import dev.comity.core.url.CrawlUrl;
import dev.comity.core.usage.UsageRefusal;
import dev.comity.core.usage.Wishes;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;

/** What one attempt at a URL came to. The groups say what learns from it. */
public sealed interface FetchOutcome {

  /** The site answered, and the answer is about this URL only. */
  sealed interface Answer extends FetchOutcome {}

  /** The site is up and asks us to slow down or to go away. */
  sealed interface Pushback extends FetchOutcome, Coded {}

  /** No complete response arrived. */
  sealed interface Unreachable extends FetchOutcome {
    /** What went wrong, in one line for people; never a bare exception text. */
    String detail();
  }

  /** No request left this machine: neither the URL nor the site is to blame. */
  sealed interface Unsent extends FetchOutcome {}

  /** A response line arrived. */
  interface Coded {
    /** The HTTP status. */
    int code();
  }

  /** The kind of this outcome. */
  default Category category() {
    return Category.of(this);
  }

  /** The HTTP status, where a response line arrived. */
  default OptionalInt status() {
    return this instanceof Coded coded ? OptionalInt.of(coded.code()) : OptionalInt.empty();
  }

  /** 2xx with what was asked for. */
  record Success(int code, Headers headers, Body body) implements Answer, Coded {}

  /** 304: the copy we have is still good. */
  record NotModified(int code, Headers headers) implements Answer, Coded {}

  /**
   * 3xx. The target is empty where the Location is missing or cannot be read; it is then an answer
   * that leads nowhere.
   */
  record Redirect(int code, Optional<CrawlUrl> target) implements Answer, Coded {
    /** Whether the site says that the old URL will not come back: 301 and 308. */
    public boolean permanent() {
      return code == 301 || code == 308;
    }
  }

  /** 404, 410 and every other 4xx that is about the URL alone. */
  record ClientError(int code) implements Answer, Coded {}

  /**
   * 402: the site wants to be paid. Nothing is ever paid.
   *
   * @param price as the site names it, printable and short
   */
  record PaymentRequired(int code, Optional<String> price) implements Answer, Coded {}

  /** 451: the site may not show it for legal reasons. */
  record LegallyBlocked(int code) implements Answer, Coded {}

  /**
   * 2xx whose header refuses a purpose of the crawl, so the body was not read.
   *
   * @param wishes all that the header says about the use of the content
   */
  record UsageRefused(int code, UsageRefusal refusal, Wishes wishes) implements Answer, Coded {}

  /** The body went over the cap; the rest of it was not read. */
  record TooLarge(int code, long limit) implements Answer, Coded {}

  /** An image with too few pixels to be one. */
  record TooSmall(int code, String size) implements Answer, Coded {}

  /** A type that was not asked for, so the body was not read. */
  record WrongType(int code, String type) implements Answer, Coded {}

  /** The body's encoding is broken or unknown. */
  record Undecodable(int code, String detail) implements Answer, Coded {}

  /** 429 and its kin (420, 529, 999, and 503 with Retry-After): ask less often. */
  record RateLimited(int code, Optional<Duration> retryAfter) implements Pushback {}

  /** 401 or 403. */
  record Forbidden(int code) implements Pushback {}

  /** 5xx; a 503 only when it names no time to come back. */
  record ServerError(int code) implements Pushback {}

  /** A log-in page where the page should be. */
  record LoginRequired(int code) implements Pushback {}

  /** A captcha or firewall page where the page should be. */
  record Challenge(int code) implements Pushback {}

  /** Connecting, waiting or reading took too long. */
  record TimedOut(String detail) implements Unreachable {}

  /** Refused, reset, unroutable, cut off, or not HTTP. */
  record ConnectionFailed(String detail) implements Unreachable {}

  /** The handshake failed or the certificate is not to be trusted. */
  record TlsFailed(String detail) implements Unreachable {}

  /** The name has no address. */
  record DnsFailed(String detail) implements Unreachable {}

  /** The name leads to an address that is not for us to ask: private, loopback, metadata. */
  record AddressDenied(String address) implements Unsent {}

  /**
   * The port belongs to mail, a database or the like, which a request could be taken for talk to.
   */
  record PortDenied(int port) implements Unsent {}

  /** Public sites may only be asked when a contact is set. */
  record ContactMissing(String address) implements Unsent {}

  /** Called back before its first byte was written, or stopped before an answer came. */
  record Cancelled() implements Unsent {}
}
