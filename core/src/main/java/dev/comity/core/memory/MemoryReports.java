package dev.comity.core.memory;

import dev.comity.core.policy.lifecycle.DomainStatus;
import dev.comity.core.port.store.Census;
import dev.comity.core.port.store.Reports;
import dev.comity.core.url.DomainName;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What people read of a store in memory. */
final class MemoryReports implements Reports {
  private final Tables tables;

  MemoryReports(Tables tables) {
    this.tables = tables;
  }

  @Override
  public Census census(long run) {
    synchronized (tables) {
      Map<DomainStatus, Long> byStatus = new EnumMap<>(DomainStatus.class);
      long urls = 0;
      long spent = 0;
      for (DomainRow row : tables.domains.all()) {
        byStatus.merge(row.state.standing().status(), 1L, Long::sum);
        urls += row.isOpenTo(run) ? row.urls.size() : 0;
        spent += row.isSpentBy(run) ? 1 : 0;
      }
      return new Census(urls, spent, byStatus);
    }
  }

  @Override
  public Optional<DomainReport> domain(DomainName domain) {
    synchronized (tables) {
      return tables.domains.find(domain).map(MemoryReports::report);
    }
  }

  private static DomainReport report(DomainRow row) {
    return new DomainReport(
        row.state,
        row.terms,
        row.live(),
        row.urls.size(),
        row.pages,
        row.pageRequests,
        row.errors,
        row.imagesStored);
  }

  @Override
  public List<LoggedRequest> requests(DomainName domain, int limit) {
    synchronized (tables) {
      return tables.requests.of(domain, limit);
    }
  }
}
