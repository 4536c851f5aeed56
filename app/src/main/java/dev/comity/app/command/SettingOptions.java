package dev.comity.app.command;

import dev.comity.app.monitor.MonitorOptions;
import dev.comity.app.output.OutputOptions;
import dev.comity.app.seeds.SeedOptions;
import dev.comity.app.settings.Configuration;
import dev.comity.app.settings.CrawlOptions;
import dev.comity.app.settings.DataOption;
import dev.comity.app.settings.EgressOptions;
import dev.comity.app.settings.FineOptions;
import dev.comity.app.settings.Settings;
import picocli.CommandLine.Mixin;

/** Every setting there is: what a crawl takes, and {@code comity config} shows. */
final class SettingOptions {
  @Mixin CrawlOptions crawl = new CrawlOptions();
  @Mixin FineOptions fine = new FineOptions();
  @Mixin EgressOptions egress = new EgressOptions();
  @Mixin SeedOptions seeds = new SeedOptions();
  @Mixin OutputOptions output = new OutputOptions();
  @Mixin MonitorOptions monitorOptions = new MonitorOptions();
  @Mixin DataOption data = new DataOption();

  Settings settings(Configuration configuration) {
    return crawl.settings(fine, egress, configuration.terms(), configuration.isSet("purpose"));
  }
}
