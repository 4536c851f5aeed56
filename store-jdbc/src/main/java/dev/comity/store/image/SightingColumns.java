package dev.comity.store.image;

import dev.comity.core.port.fetch.ImageSighting;
import dev.comity.core.port.store.Settlement;
import dev.comity.core.port.store.Settlement.PageContent;
import dev.comity.core.usage.Wishes;
import dev.comity.store.sql.RequestLog;
import dev.comity.store.sql.StateColumns;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** What a page says of an image, as the row of the sighting has it. */
public final class SightingColumns {
  /** The columns of {@link #of}, in their order. */
  public static final String NAMES =
      "found_in, descriptor, alt, title, caption, text_before, text_after, width, height,"
          + " link_target, license_url, credit, lang, page_title, signals, discovery_type";

  private SightingColumns() {}

  /**
   * The values of {@link #NAMES}: texts, but for width and height.
   *
   * @param isRefresh whether a refresh found it
   */
  public static @Nullable Object[] of(ImageSighting one, Settlement page, boolean isRefresh) {
    Optional<PageContent> content = page.page();
    return new @Nullable Object[] {
      StateColumns.lower(one.source().name()),
      text(one.descriptor()),
      text(one.alt()),
      text(one.title()),
      text(one.caption()),
      text(one.textBefore()),
      text(one.textAfter()),
      number(one.width()),
      number(one.height()),
      one.linkTarget().map(url -> RequestLog.stored(url.toString())).orElse(null),
      one.licence().map(url -> RequestLog.stored(url.toString())).orElse(null),
      text(one.credit()),
      text(one.language()),
      content
          .filter(PageContent::mayKeep)
          .flatMap(PageContent::title)
          .map(RequestLog::stored)
          .orElse(null),
      SignalTexts.json(content.map(it -> it.reading().wishes().forImages()).orElse(Wishes.NONE)),
      isRefresh ? "refresh" : "discovery"
    };
  }

  /** A remote text as it is stored; none where it is empty. */
  public static @Nullable String text(String remote) {
    return remote.isEmpty() ? null : RequestLog.stored(remote);
  }

  public static @Nullable Long number(OptionalLong number) {
    return number.isPresent() ? (Long) number.getAsLong() : null;
  }

  public static @Nullable Long number(OptionalInt number) {
    return number.isPresent() ? (Long) (long) number.getAsInt() : null;
  }
}
