package dev.comity.web.wall;

import dev.comity.core.outcome.Headers;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/** The signs of firewalls and captchas, by product. */
final class WallSignatures {
  /** More than this to read, and it is a page about firewalls. */
  private static final int SHORT = 1_200;

  private static final int SHORTEST = 300;

  private static final List<String> TITLES =
      List.of(
          "access denied",
          "attention required! | cloudflare",
          "just a moment...",
          "ddos-guard",
          "security check",
          "robot check",
          "are you a robot?",
          "are you human?",
          "human verification",
          "bot verification",
          "pardon our interruption",
          "request rejected",
          "sucuri website firewall - access denied",
          "you have been blocked");

  private static final List<String> CAPTCHAS =
      List.of("g-recaptcha", "h-captcha", "cf-turnstile", "hcaptcha.com/1/api", "/recaptcha/api");

  private static final List<String> QUESTIONS =
      List.of(
          "are human",
          "are a human",
          "not a robot",
          "a robot",
          "unusual traffic",
          "automated",
          "security check",
          "before you continue",
          "to continue");

  private record Sign(String maker, Predicate<PageSketch> isThere) {}

  private static final List<Sign> SIGNS =
      List.of(
          new Sign(
              "Cloudflare",
              page ->
                  page.isShorterThan(SHORT)
                      && (page.has("_cf_chl_opt")
                          || page.has("cf-browser-verification")
                          || (page.has("/cdn-cgi/challenge-platform/h/")
                              && page.title().startsWith("just a moment")))),
          new Sign(
              "Imperva", page -> page.isShorterThan(SHORTEST) && page.has("_incapsula_resource")),
          new Sign(
              "DataDome", page -> page.isShorterThan(SHORTEST) && page.has("captcha-delivery.com")),
          new Sign(
              "Akamai",
              page ->
                  page.isShorterThan(SHORT)
                      && (page.has("sec-if-cpt-container")
                          || page.has("/_sec/cp_challenge/")
                          || page.has("errors.edgesuite.net"))),
          new Sign(
              "AWS WAF",
              page ->
                  page.isShorterThan(SHORTEST)
                      && (page.has(".awswaf.com/") || page.has("window.gokuprops"))),
          new Sign(
              "Sucuri",
              page ->
                  page.isShorterThan(SHORT)
                      && (page.has("sucuri_cloudproxy_js") || page.has("sucuri.net/privacy"))),
          new Sign("PerimeterX", page -> page.isShorterThan(SHORTEST) && page.has("px-captcha")),
          new Sign("a captcha", WallSignatures::isCaptcha),
          new Sign(
              "its title", page -> page.isShorterThan(SHORT) && TITLES.contains(page.title())));

  private WallSignatures() {}

  private static boolean isCaptcha(PageSketch page) {
    return page.isShorterThan(SHORTEST * 2)
        && page.links() < 10
        && CAPTCHAS.stream().anyMatch(page::has)
        && QUESTIONS.stream().anyMatch(page::has)
        && !page.has("<textarea");
  }

  /** The product that made the challenge page, if the page is one. */
  static Optional<String> onPage(PageSketch page) {
    return SIGNS.stream()
        .filter(sign -> sign.isThere().test(page))
        .findFirst()
        .map(sign -> "a challenge, known by " + sign.maker());
  }

  /** Whether the headers themselves say that this is no page. */
  static Optional<String> challengeInHeaders(Headers headers) {
    if (headers.first("cf-mitigated").filter("challenge"::equalsIgnoreCase).isPresent()) {
      return Optional.of("cf-mitigated: challenge");
    }
    return headers
        .first("x-amzn-waf-action")
        .map(String::strip)
        .filter(
            action -> action.equalsIgnoreCase("challenge") || action.equalsIgnoreCase("captcha"))
        .map(action -> "x-amzn-waf-action: " + action);
  }

  /** The firewall that refused, as far as the headers tell. */
  static Optional<String> inHeaders(Headers headers) {
    return challengeInHeaders(headers)
        .or(() -> headers.first("x-sucuri-block").map(_ -> "refused by Sucuri"))
        .or(() -> headers.first("x-iinfo").map(_ -> "refused behind Imperva"))
        .or(() -> headers.first("x-datadome").map(_ -> "refused behind DataDome"))
        .or(
            () ->
                headers
                    .first("server")
                    .filter("AkamaiGHost"::equalsIgnoreCase)
                    .map(_ -> "refused by Akamai"));
  }
}
