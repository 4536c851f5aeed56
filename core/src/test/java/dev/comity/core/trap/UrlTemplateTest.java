package dev.comity.core.trap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.core.url.CrawlUrl;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UrlTemplateTest {
  @ParameterizedTest
  @CsvSource({
    "/, /",
    "/about, /*",
    "/about.html, /*.html",
    "/article/12345, /article/#",
    "/article/12345/, /article/#/",
    "/calendar/2026/11/16, /calendar/#/#/#",
    "/calendar/2026-11-16, /calendar/#-#-#",
    "/list/page12, /list/page#",
    "/blog/how-to-bake-bread-in-2026, /blog/*",
    "/wiki/Caf%C3%A9, /wiki/*",
    "/object/9f86d081884c7d65/view, /object/~/*",
    "/object/01890a5d-ac96-774b-bcce-b302099a8057, /object/~",
    "/go/aGVsbG8gd29ybGQ0IHRoaXMgaXM0, /go/~",
    "/shop/shirts?size=l&color=red, /shop/*?color&size",
    "/shop/shirts?color=blue&size=m, /shop/*?color&size",
    "/shop/shirts?size=l&size=m, /shop/*?size",
    "/list?p1=a&p2=b, /*?p#",
    "/list?, /*",
    "/page;jsessionid=AB12?x=1, /**;jsessionid",
    "/page?PHPSESSID=AB12, /**;phpsessid",
    "/page?sid=0123456789abcdef0123, /**;sid",
    "/story?sid=4711, /*?sid",
    "/matrix;v=1/page, /matrix/*?v",
  })
  void urls_that_one_rule_makes_have_one_template(String target, String template) {
    assertThat(Traps.templateOf(CrawlUrl.of("https://example.com" + target))).isEqualTo(template);
  }
}
