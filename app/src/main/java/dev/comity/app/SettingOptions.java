package dev.comity.app;

import picocli.CommandLine.Mixin;

/** Every setting there is: what a crawl takes, and {@code comity config} shows. */
final class SettingOptions {
  @Mixin CrawlOptions crawl = new CrawlOptions();
  @Mixin FineOptions fine = new FineOptions();
  @Mixin PassageOptions way = new PassageOptions();
  @Mixin SeedOptions seeds = new SeedOptions();
  @Mixin OutputOptions output = new OutputOptions();
  @Mixin SeeingOptions seeing = new SeeingOptions();
  @Mixin DataOption data = new DataOption();

  Settings settings(Configuration configuration) {
    return crawl.settings(fine, way, configuration.terms());
  }
}
