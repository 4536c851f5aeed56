package dev.comity.core.port.run;

import dev.comity.core.url.CrawlUrl;
import java.util.List;

/**
 * What others want of a worker.
 *
 * @param files robots.txt files of domains it holds, which workers of other domains need
 * @param leave whether an operator wants it to give its claims back and end
 */
public record WorkerOrders(List<CrawlUrl> files, boolean leave) {
  /** Nothing is wanted. */
  public static final WorkerOrders NONE = new WorkerOrders(List.of(), false);

  public WorkerOrders {
    files = List.copyOf(files);
  }
}
