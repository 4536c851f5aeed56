package dev.comity.app.export;

import dev.comity.app.output.DomainFields;
import dev.comity.app.output.ImageFields;
import dev.comity.app.output.PageFields;
import dev.comity.app.text.Fields;
import dev.comity.store.report.FilteredRows;
import dev.comity.store.report.UnfetchedRecord;
import java.util.List;
import java.util.function.Consumer;

/** A table of a data directory: its column names in order, and its rows. */
public enum ExportTable {
  PAGES {
    @Override
    public void each(FilteredRows rows, Consumer<Fields> reader) {
      rows.eachPage(page -> reader.accept(PageFields.of(page)));
    }
  },
  IMAGES {
    @Override
    public void each(FilteredRows rows, Consumer<Fields> reader) {
      rows.eachImage(image -> reader.accept(ImageFields.of(image)));
    }
  },
  DOMAINS {
    @Override
    public void each(FilteredRows rows, Consumer<Fields> reader) {
      rows.eachDomain(domain -> reader.accept(DomainFields.of(domain)));
    }
  },
  LOG {
    @Override
    public void each(FilteredRows rows, Consumer<Fields> reader) {
      rows.eachRequest(request -> reader.accept(DomainFields.of(request)));
    }
  },
  FAILED {
    @Override
    public void each(FilteredRows rows, Consumer<Fields> reader) {
      rows.eachUnfetched(url -> reader.accept(fields(url)));
    }
  };

  private static final List<String> FAILED_NAMES =
      List.of(
          "run",
          "domain",
          "url",
          "state",
          "reason",
          "status",
          "detail",
          "attempt",
          "depth",
          "referrer",
          "started_at");

  /** The column names, in order; the header of an empty table. */
  public List<String> names() {
    return switch (this) {
      case PAGES -> PageFields.NAMES;
      case IMAGES -> ImageFields.NAMES;
      case DOMAINS -> DomainFields.NAMES;
      case LOG -> DomainFields.REQUEST_NAMES;
      case FAILED -> FAILED_NAMES;
    };
  }

  /** Hands over every row that the filter takes. */
  public abstract void each(FilteredRows rows, Consumer<Fields> reader);

  private static Fields fields(UnfetchedRecord url) {
    return Fields.none()
        .and("run", url.run())
        .and("domain", url.domain())
        .and("url", url.url())
        .and("state", url.state())
        .and("reason", url.reason())
        .and("status", url.status())
        .and("detail", url.detail())
        .and("attempt", url.attempt())
        .and("depth", url.depth())
        .and("referrer", url.referrer())
        .and("started_at", url.startedAt());
  }
}
