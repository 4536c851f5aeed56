package dev.comity.core.engine.domain;

import dev.comity.core.engine.domain.FetchTask.Completed;
import dev.comity.core.outcome.Body;
import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.outcome.FetchOutcome.Challenge;
import dev.comity.core.outcome.FetchOutcome.LoginRequired;
import dev.comity.core.outcome.FetchOutcome.Redirect;
import dev.comity.core.outcome.FetchOutcome.Success;
import dev.comity.core.outcome.Fetched;
import dev.comity.core.port.store.ImageFinds;
import dev.comity.core.trap.Traps;
import dev.comity.core.url.CrawlUrl;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;

/**
 * Detects walls that no single answer shows. These are one body behind many different URLs, or many
 * URLs that redirect to one login page. The fetcher detects what a single answer shows.
 *
 * <p>Both also happen on open sites. Soft 404s are all alike, and the reply links of a forum lead
 * to one login. So the URLs must be of several templates. Where the site has shown pages before, it
 * takes a long row of them.
 */
final class RepeatedWalls {
  static final int SAME_BODIES = 10;
  static final int LOGINS_OF_A_STRANGER = 3;
  static final int LOGINS = 20;
  private static final int TEMPLATES = 5;

  private static final Pattern LOGIN =
      Pattern.compile(
          "(?:^|[/_.-])(?:login|log-in|log_in|logon|signin|sign-in|sign_in|signon|sso|authenticate)"
              + "(?:$|[/_.-])",
          Pattern.CASE_INSENSITIVE);

  /** Whether the site has shown a page that is no wall. */
  private boolean letIn;

  private Row bodies = new Row("");
  private Row logins = new Row("");

  /** Tells one body from another. */
  private record Mark(int length, long sum) {}

  RepeatedWalls(boolean letIn) {
    this.letIn = letIn;
  }

  /** A row of answers that are all the same, and their URLs. */
  private static final class Row {
    private static final int NOT_COUNTED = -1;

    private final Object same;

    /** Each URL once; nearly every row is one long. */
    private final List<CrawlUrl> urls = new ArrayList<>(1);

    /** How many templates the URLs have, counted when the row is long enough to matter. */
    private int templates = NOT_COUNTED;

    Row(Object same) {
      this.same = same;
    }

    Row and(Object other, CrawlUrl url, int most) {
      Row row = same.equals(other) ? this : new Row(other);
      // A row that is long enough stays so: no need to keep every URL of a long row.
      if (row.urls.size() < most && !row.urls.contains(url)) {
        row.urls.add(url);
        row.templates = NOT_COUNTED;
      }
      return row;
    }

    boolean hasTemplates(int fewest) {
      if (templates == NOT_COUNTED) {
        Set<String> different = new HashSet<>();
        for (CrawlUrl url : urls) {
          different.add(Traps.templateOf(url));
        }
        templates = different.size();
      }
      return templates >= fewest;
    }
  }

  /** The answer, or a wall in its place. */
  Completed judged(Completed answer) {
    Fetched fetched = answer.fetched();
    CrawlUrl url = answer.task().url();
    return switch (fetched.outcome()) {
      case Success page -> page(answer, page, url);
      case Redirect redirect -> redirect(answer, redirect, url);
      case FetchOutcome _ -> answer;
    };
  }

  private Completed page(Completed answer, Success page, CrawlUrl url) {
    boolean comparable =
        answer.fetched().note().isEmpty()
            && answer.content().isPresent()
            && !answer.content().get().reads().isBlank();
    if (!comparable) {
      return answer;
    }
    bodies = bodies.and(mark(page.body()), url, SAME_BODIES);
    if (bodies.urls.size() >= SAME_BODIES && bodies.hasTemplates(TEMPLATES)) {
      return wall(answer, new Challenge(page.code()), "one body behind different URLs");
    }
    boolean isNews = !letIn || !logins.urls.isEmpty();
    if (isNews && !isLogin(url)) {
      letIn = true;
      logins = new Row("");
    }
    return answer;
  }

  /** A site that forges two bodies with one mark only harms its own crawl. */
  private static Mark mark(Body body) {
    CRC32C sum = new CRC32C();
    sum.update(body.bytes());
    return new Mark(body.length(), sum.getValue());
  }

  private Completed redirect(Completed answer, Redirect redirect, CrawlUrl url) {
    Optional<CrawlUrl> target = redirect.target();
    if (target.isEmpty() || !isLogin(target.get()) || isLogin(url)) {
      return answer;
    }
    int most = letIn ? LOGINS : LOGINS_OF_A_STRANGER;
    logins = logins.and(target.get().authority() + path(target.get()), url, LOGINS);
    boolean wall = logins.urls.size() >= most && (!letIn || logins.hasTemplates(TEMPLATES));
    return wall
        ? wall(answer, new LoginRequired(redirect.code()), "sent to " + path(target.get()))
        : answer;
  }

  private static boolean isLogin(CrawlUrl url) {
    return LOGIN.matcher(path(url)).find();
  }

  private static String path(CrawlUrl url) {
    String target = url.target();
    int query = target.indexOf('?');
    return query < 0 ? target : target.substring(0, query);
  }

  /** A wall has no links: they do not belong to the site's pages. */
  private static Completed wall(Completed answer, FetchOutcome wall, String why) {
    return new Completed(
        answer.task(),
        answer.startedAt(),
        answer.at(),
        answer.fetched().as(wall, why),
        List.of(),
        List.of(),
        ImageFinds.NONE,
        Optional.empty());
  }
}
