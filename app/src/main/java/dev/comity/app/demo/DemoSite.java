package dev.comity.app.demo;

import java.util.List;

/**
 * A site of the demo.
 *
 * @param name its host
 * @param manner how it treats visitors, in a few words
 * @param entrances the paths a crawl of it starts at
 * @param listens whether anybody answers there at all
 */
public record DemoSite(
    String name, String manner, List<String> entrances, boolean listens, Manners manners) {

  /** How it answers. */
  @FunctionalInterface
  interface Manners {
    DemoReply to(Visit visit) throws InterruptedException;
  }

  DemoSite(String name, String manner, Manners manners) {
    this(name, manner, List.of("/"), true, manners);
  }

  DemoSite startingAt(List<String> paths) {
    return new DemoSite(name, manner, paths, listens, manners);
  }

  DemoSite outOfOrder() {
    return new DemoSite(name, manner, entrances, false, manners);
  }
}
