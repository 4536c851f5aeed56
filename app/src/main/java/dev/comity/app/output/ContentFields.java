package dev.comity.app.output;

import dev.comity.app.text.Fields;
import dev.comity.core.outcome.Body;
import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.outcome.FetchOutcome.Success;
import dev.comity.core.port.fetch.KeptPage;
import dev.comity.core.port.fetch.KeptPage.PageLink;
import dev.comity.core.url.CrawlUrl;
import dev.comity.keep.PackedBody;
import dev.comity.web.html.PageDetails;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What was kept of a page, by name. A body that is text stands there as text. Where its bytes
 * cannot be made of the text again, they are there in base64, too.
 */
final class ContentFields {
  private static final char REPLACEMENT = '\ufffd';

  private ContentFields() {}

  /** Of a page in a store. */
  static Fields of(KeptPage page) {
    return fields(page.packed().map(packed -> PackedBody.unpack(packed.bytes())), page);
  }

  /** Of a page that is nowhere but here. */
  static Fields of(KeptPage page, FetchOutcome outcome) {
    return fields(
        page.packed().isPresent() && outcome instanceof Success success
            ? Optional.of(success.body())
            : Optional.empty(),
        page);
  }

  private static Fields fields(Optional<Body> body, KeptPage page) {
    Fields fields =
        Fields.none()
            .and("language", page.language())
            .and("description", page.description())
            .and("canonical", page.canonical().map(CrawlUrl::toString))
            .and("headers", named(page.headers()))
            .and("charset", page.charset())
            .and("text", page.text());
    Optional<String> characters =
        body.flatMap(bytes -> page.charset().map(name -> PageDetails.characters(bytes, name)));
    boolean exact = characters.filter(text -> text.indexOf(REPLACEMENT) < 0).isPresent();
    return fields
        .and("html", page.document() ? Optional.empty() : characters)
        .and("body", page.document() ? characters : Optional.empty())
        .and("body_base64", exact ? Optional.empty() : body.map(ContentFields::base64))
        .and("markdown", page.markdown())
        .and("fields", named(page.fields()))
        .and("links", links(page.links()));
  }

  private static String base64(Body body) {
    return Base64.getEncoder().encodeToString(body.bytes());
  }

  private static Optional<Fields> named(Map<String, ?> values) {
    if (values.isEmpty()) {
      return Optional.empty();
    }
    Fields fields = Fields.none();
    values.forEach(fields::and);
    return Optional.of(fields);
  }

  private static Optional<List<Fields>> links(List<PageLink> links) {
    return links.isEmpty()
        ? Optional.empty()
        : Optional.of(
            links.stream()
                .map(
                    link ->
                        Fields.none()
                            .and("url", link.to())
                            .and("text", link.text())
                            .and("rel", link.rel()))
                .toList());
  }
}
