package dev.comity.web.wall;

import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.outcome.FetchOutcome.Challenge;
import dev.comity.core.outcome.FetchOutcome.Forbidden;
import dev.comity.core.outcome.FetchOutcome.LoginRequired;
import dev.comity.core.outcome.FetchOutcome.RateLimited;
import dev.comity.core.outcome.FetchOutcome.ServerError;
import dev.comity.core.outcome.FetchOutcome.Success;
import dev.comity.core.outcome.Fetched;
import dev.comity.core.outcome.Headers;
import dev.comity.core.url.CrawlUrl;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/** Recognises walls: answers that are a login, captcha or firewall page. */
public final class WallDetector {
  /** The note of a page that shows nothing unless its scripts run. */
  public static final String NEEDS_SCRIPT = "empty without JavaScript";

  /** A login page that the URL itself asks for; it hides no other page. */
  private static final Pattern LOGIN_PAGE =
      Pattern.compile(
          "log-?_?[io]n|sign-?_?(?:in|on|up)|regist|password|passwd|account|auth|sso|join|session"
              + "|invite|reset|admin|setup|install",
          Pattern.CASE_INSENSITIVE);

  private static final Pattern PASSWORD = Pattern.compile("type\\s*=\\s*[\"']?password\\b");
  private static final int LITTLE = 600;
  private static final int LITTLE_WITH_WORDS = 1_200;
  private static final int FEW_LINKS = 15;
  private static final int NOTHING = 40;

  private static final List<String> LOGIN_WORDS =
      List.of("log in", "login", "sign in", "signin", "anmelden", "einloggen", "connexion");

  /** What a page's scripts fill. */
  private static final List<String> MOUNTS =
      List.of("root", "app", "__next", "__nuxt", "app-root", "svelte", "main-app", "react-root");

  private WallDetector() {}

  /** The same answer, or the wall that it is, with the sign it was known by. */
  public static Fetched judged(CrawlUrl url, Headers headers, Fetched fetched) {
    return switch (fetched.outcome()) {
      case Success page -> page(url, page, fetched);
      // The status decides; the sign adds which firewall it was.
      case Forbidden same -> noted(fetched, same, headers);
      case ServerError same -> noted(fetched, same, headers);
      case RateLimited same -> noted(fetched, same, headers);
      case FetchOutcome _ -> fetched;
    };
  }

  private static Fetched noted(Fetched fetched, FetchOutcome same, Headers headers) {
    return WallSignatures.inHeaders(headers).map(sign -> fetched.as(same, sign)).orElse(fetched);
  }

  private static Fetched page(CrawlUrl url, Success page, Fetched fetched) {
    Optional<String> inHeaders = WallSignatures.challengeInHeaders(page.headers());
    if (inHeaders.isPresent()) {
      return fetched.as(new Challenge(page.code()), inHeaders.get());
    }
    if (!isHtml(page)) {
      return fetched;
    }
    Optional<PageSketch> shortOne = PageSketch.at(page.body());
    if (shortOne.isEmpty()) {
      return fetched;
    }
    PageSketch sketch = shortOne.get();
    Optional<String> challenge = WallSignatures.onPage(sketch);
    if (challenge.isPresent()) {
      return fetched.as(new Challenge(page.code()), challenge.get());
    }
    if (isLoginWall(url, sketch)) {
      return fetched.as(new LoginRequired(page.code()), "a password is asked for, and little else");
    }
    return needsScript(sketch) ? fetched.as(page, NEEDS_SCRIPT) : fetched;
  }

  private static boolean isHtml(Success page) {
    Optional<String> type = page.headers().first("content-type");
    return type.isEmpty() || type.get().toLowerCase(Locale.ROOT).contains("html");
  }

  private static boolean isLoginWall(CrawlUrl url, PageSketch sketch) {
    if (!sketch.has("password") || !PASSWORD.matcher(sketch.html()).find()) {
      return false;
    }
    boolean asks = LOGIN_WORDS.stream().anyMatch(sketch::has);
    return asks
        && sketch.isShorterThan(isLogin(sketch.title()) ? LITTLE_WITH_WORDS : LITTLE)
        && sketch.links() <= FEW_LINKS
        && !LOGIN_PAGE.matcher(url.target()).find();
  }

  private static boolean isLogin(String title) {
    return LOGIN_WORDS.stream().anyMatch(title::contains);
  }

  private static boolean needsScript(PageSketch sketch) {
    boolean bare =
        sketch.isShorterThan(NOTHING)
            && sketch.links() == 0
            && sketch.has("<script")
            && !sketch.has("<frame")
            && !sketch.has("<iframe")
            && !sketch.has("http-equiv=\"refresh\"");
    return bare && (saysSo(sketch) || MOUNTS.stream().anyMatch(id -> isMount(sketch, id)));
  }

  private static boolean saysSo(PageSketch sketch) {
    int noscript = sketch.html().indexOf("<noscript");
    return noscript >= 0 && sketch.html().indexOf("javascript", noscript) >= 0;
  }

  private static boolean isMount(PageSketch sketch, String id) {
    return sketch.has("id=\"" + id + "\"")
        || sketch.has("id=" + id + ">")
        || sketch.has("<" + id + ">");
  }
}
