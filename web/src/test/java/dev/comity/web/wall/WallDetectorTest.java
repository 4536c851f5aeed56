package dev.comity.web.wall;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.outcome.Body;
import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.outcome.FetchOutcome.Challenge;
import dev.comity.core.outcome.FetchOutcome.Forbidden;
import dev.comity.core.outcome.FetchOutcome.LoginRequired;
import dev.comity.core.outcome.FetchOutcome.ServerError;
import dev.comity.core.outcome.FetchOutcome.Success;
import dev.comity.core.outcome.Fetched;
import dev.comity.core.outcome.Headers;
import dev.comity.core.url.CrawlUrl;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The pages are our own, in the manner of what is met. */
class WallDetectorTest {
  private static final CrawlUrl URL = CrawlUrl.of("https://shop.test/articles/7");

  private static Fetched judged(CrawlUrl url, FetchOutcome outcome, Headers headers) {
    return WallDetector.judged(
        url, headers, new Fetched(outcome, Optional.empty(), Duration.ZERO, 0));
  }

  private static Headers headers(String... namesAndValues) {
    return namesAndValues.length == 0
        ? Headers.NONE
        : Headers.of(Map.of(namesAndValues[0], List.of(namesAndValues[1])));
  }

  private static Fetched page(CrawlUrl url, String name, Headers headers) {
    return judged(url, new Success(200, headers, body(name)), headers);
  }

  private static Body body(String name) {
    try (InputStream bytes =
        Objects.requireNonNull(WallDetectorTest.class.getResourceAsStream(name + ".html"))) {
      return Body.of(bytes.readAllBytes());
    } catch (IOException failed) {
      throw new AssertionError(failed);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "cloudflare, Cloudflare",
    "incapsula, Imperva",
    "datadome, DataDome",
    "akamai, Akamai",
    "aws, AWS WAF",
    "sucuri, Sucuri",
    "perimeterx, PerimeterX",
    "recaptcha, a captcha",
    "hcaptcha, a captcha",
    "title, its title",
  })
  void a_challenge_behind_a_200_is_known_by_its_maker(String name, String maker) {
    Fetched fetched = page(URL, "challenge-" + name, headers("Content-Type", "text/html"));
    assertThat(fetched.outcome()).isEqualTo(new Challenge(200));
    assertThat(fetched.note()).contains("a challenge, known by " + maker);
  }

  @ParameterizedTest
  @ValueSource(strings = {"plain", "german"})
  void a_page_that_asks_for_a_password_and_little_else_is_a_login_wall(String name) {
    assertThat(page(URL, "login-" + name, Headers.NONE).outcome())
        .isEqualTo(new LoginRequired(200));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/login",
        "/users/sign_in",
        "/register",
        "/account/reset",
        "/wp-login.php",
        "/?auth=1"
      })
  void where_logging_in_is_what_a_url_is_for_it_is_no_wall(String target) {
    CrawlUrl url = CrawlUrl.of("https://shop.test" + target);
    assertThat(page(url, "login-plain", Headers.NONE).outcome()).isInstanceOf(Success.class);
  }

  @ParameterizedTest
  @ValueSource(strings = {"noscript", "mount"})
  void a_page_that_is_empty_without_its_scripts_is_a_page_and_says_so(String name) {
    Fetched fetched = page(URL, "script-" + name, Headers.NONE);
    assertThat(fetched.outcome()).isInstanceOf(Success.class);
    assertThat(fetched.note()).contains("empty without JavaScript");
  }

  @ParameterizedTest
  @ValueSource(strings = {"comments", "header-login", "short", "frames", "refresh"})
  void a_page_is_a_page(String name) {
    Fetched fetched = page(URL, "page-" + name, Headers.NONE);
    assertThat(fetched.outcome()).isInstanceOf(Success.class);
    assertThat(fetched.note()).isEmpty();
  }

  @Test
  void what_is_not_html_is_not_looked_at() {
    Fetched fetched =
        page(URL, "challenge-cloudflare", headers("Content-Type", "text/plain; charset=utf-8"));
    assertThat(fetched.outcome()).isInstanceOf(Success.class);
  }

  @ParameterizedTest
  @CsvSource({
    "cf-mitigated, challenge, cf-mitigated: challenge",
    "x-amzn-waf-action, challenge, x-amzn-waf-action: challenge",
    "x-amzn-waf-action, captcha, x-amzn-waf-action: captcha",
  })
  void headers_that_say_challenge_are_believed_behind_a_200(
      String name, String value, String note) {
    Fetched fetched = page(URL, "page-short", headers(name, value));
    assertThat(fetched.outcome()).isEqualTo(new Challenge(200));
    assertThat(fetched.note()).contains(note);
  }

  @ParameterizedTest
  @CsvSource({
    "cf-mitigated, challenge, cf-mitigated: challenge",
    "Server, AkamaiGHost, refused by Akamai",
    "X-Sucuri-Block, XSS1, refused by Sucuri",
    "X-Iinfo, 1-2-3, refused behind Imperva",
    "X-DataDome, protected, refused behind DataDome",
  })
  void a_refusal_by_status_stays_one_and_says_whose_it_is(String name, String value, String note) {
    Fetched forbidden = judged(URL, new Forbidden(403), headers(name, value));
    assertThat(forbidden.outcome()).isEqualTo(new Forbidden(403));
    assertThat(forbidden.note()).contains(note);
    Fetched unavailable = judged(URL, new ServerError(503), headers(name, value));
    assertThat(unavailable.outcome()).isEqualTo(new ServerError(503));
    assertThat(unavailable.note()).contains(note);
  }

  @Test
  void a_refusal_without_a_sign_is_left_as_it_is() {
    Fetched fetched = judged(URL, new Forbidden(403), headers("Server", "nginx"));
    assertThat(fetched.outcome()).isEqualTo(new Forbidden(403));
    assertThat(fetched.note()).isEmpty();
  }

  @Test
  void ten_megabytes_of_open_tags_are_glanced_at_in_no_time() {
    Body body = Body.of("<".repeat(10 << 20));
    assertThat(judged(URL, new Success(200, Headers.NONE, body), Headers.NONE).note()).isEmpty();
  }
}
