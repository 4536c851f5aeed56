package dev.comity.core.policy;

import dev.comity.core.url.Authority;
import dev.comity.core.url.CrawlUrl;
import java.util.ArrayList;
import java.util.List;

/**
 * What is known for good about the authorities of one domain: which of them accepted https, and
 * which have moved to another of them.
 *
 * @param secure hosts to which a request left over https
 * @param moves where the URLs of an authority are to be asked instead; one that leads to itself is
 *     an authority that was said to have moved and to have not
 */
public record KnownAuthorities(List<String> secure, List<Move> moves) {
  /** A domain has a handful of authorities; more than this is a trap. */
  private static final int MOST = 16;

  static final KnownAuthorities UNKNOWN = new KnownAuthorities(List.of(), List.of());

  /** From one authority to another of the same domain. */
  public record Move(Authority from, Authority to) {}

  /**
   * Whether https ever worked for this host: then nothing of it is asked over http for want of
   * https. Where too many hosts are known to tell, it is taken to have worked.
   */
  public boolean letInOverHttps(String host) {
    return secure.contains(host) || secure.size() >= MOST;
  }

  /** Where this URL is to be asked: at another authority, if its own has moved. */
  public CrawlUrl now(CrawlUrl url) {
    if (moves.isEmpty()) {
      return url;
    }
    Authority from = url.authority();
    Authority to = now(from);
    if (to.equals(from)) {
      return url;
    }
    // At a longer authority it may be longer than a URL can be.
    return CrawlUrl.parse(to + url.target()) instanceof CrawlUrl elsewhere ? elsewhere : url;
  }

  private Authority now(Authority authority) {
    for (Move move : moves) {
      if (move.from().equals(authority)) {
        return move.to();
      }
    }
    return authority;
  }

  /** A request for this URL left. */
  KnownAuthorities opened(CrawlUrl url) {
    if (!url.scheme().equals("https") || letInOverHttps(url.host())) {
      return this;
    }
    List<String> more = new ArrayList<>(secure);
    more.add(url.authority().host());
    return new KnownAuthorities(List.copyOf(more), moves);
  }

  /**
   * The site redirects this URL for good. It speaks for the whole authority if only scheme, host or
   * port change, and both are the same site; but no authority moves from https to http that way. A
   * site that says the opposite another time has not moved, and is not believed again.
   */
  KnownAuthorities redirected(CrawlUrl url, CrawlUrl target) {
    Authority from = url.authority();
    Authority to = now(target.authority());
    boolean speaksForAll =
        url.target().equals(target.target())
            && !from.equals(target.authority())
            && url.domain().equals(target.domain())
            && (from.scheme().equals("http") || to.scheme().equals("https"));
    if (!speaksForAll) {
      return this;
    }
    return to.equals(from) ? staying(target.authority()) : moved(from, to);
  }

  private KnownAuthorities moved(Authority from, Authority to) {
    boolean known = now(from).equals(to) || moves.contains(new Move(from, from));
    if (known || moves.size() >= MOST) {
      return this;
    }
    List<Move> after = new ArrayList<>();
    for (Move move : moves) {
      // An authority that had moved there moves on.
      after.add(move.to().equals(from) ? new Move(move.from(), to) : move);
    }
    after.removeIf(move -> move.from().equals(from));
    after.add(new Move(from, to));
    return new KnownAuthorities(secure, List.copyOf(after));
  }

  /** The site leads back to where it was said to have left. */
  private KnownAuthorities staying(Authority contradicted) {
    List<Move> after = new ArrayList<>(moves);
    after.replaceAll(
        move -> move.from().equals(contradicted) ? new Move(contradicted, contradicted) : move);
    return new KnownAuthorities(secure, List.copyOf(after));
  }
}
