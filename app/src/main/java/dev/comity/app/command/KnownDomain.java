package dev.comity.app.command;

import dev.comity.app.settings.WrongSetting;
import dev.comity.core.url.DomainName;
import dev.comity.core.url.UrlRefusal;
import dev.comity.store.report.DomainRecord;
import dev.comity.store.report.StoreReader;
import java.util.List;

/** Finds the domain somebody names, in whatever spelling, or says which names are known. */
final class KnownDomain {
  private static final int SUGGESTED = 3;

  private KnownDomain() {}

  /**
   * The domain of that name.
   *
   * @throws WrongSetting if there is none
   */
  static DomainRecord find(StoreReader reader, String given) {
    String name =
        switch (DomainName.parse(given)) {
          case DomainName domain -> domain.name();
          case UrlRefusal refusal -> throw new WrongSetting(refusal.message());
        };
    return reader.domain(name).orElseThrow(() -> unknown(reader, name));
  }

  private static WrongSetting unknown(StoreReader reader, String name) {
    List<String> similar = reader.similar(name, SUGGESTED);
    return new WrongSetting(
        "domain is %s, but no crawl has met it; ".formatted(name)
            + (similar.isEmpty()
                ? "`comity domains` lists those that are known"
                : "did you mean " + String.join(" or ", similar) + "?"));
  }
}
