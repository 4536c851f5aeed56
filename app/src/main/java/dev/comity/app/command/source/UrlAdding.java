package dev.comity.app.command.source;

import dev.comity.CrawlSession;
import dev.comity.app.seeds.GivenSeed;
import dev.comity.app.seeds.SeedFiles;
import dev.comity.app.seeds.SeedFormat;
import dev.comity.app.seeds.SeedReader;
import dev.comity.app.settings.Settings;
import dev.comity.core.port.source.AddAnswer;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.port.store.SeedAddress;
import dev.comity.core.url.Authority;
import dev.comity.core.url.Seed;
import dev.comity.core.url.UrlRefusal;
import dev.comity.store.operate.Intake;
import dev.comity.web.net.AddressGuard;
import dev.comity.web.net.Leave;
import dev.comity.web.net.SeedVerdict;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;

/** Adds URLs one at a time, and hands on what becomes of each. */
final class UrlAdding {
  private final Intake intake;
  private final AddressGuard guard;
  private final Optional<String> source;
  private final BiConsumer<String, AddAnswer> answers;
  private boolean refused;

  /**
   * @param source the source that they are of
   * @param answers receives each URL as it was given, with its answer
   */
  UrlAdding(
      Intake intake,
      Settings settings,
      Optional<String> source,
      BiConsumer<String, AddAnswer> answers) {
    this.intake = intake;
    this.source = source;
    this.answers = answers;
    guard = new AddressGuard(CrawlSession.names(), settings.contact().isPresent());
  }

  /** Whether any URL was refused. */
  boolean hasRefused() {
    return refused;
  }

  /** Adds a URL of the command line. */
  void argument(String text) {
    switch (Seed.parse(text)) {
      case UrlRefusal refusal -> answer(text, new AddAnswer.Refused(refusal.message()));
      case Seed seed -> {
        guard.allow(seed.url().authority(), Leave.NAMED);
        if (guard.seed(seed.url().authority()) instanceof SeedVerdict.SeedDenied denied) {
          answer(text, new AddAnswer.Refused(denied.words(seed.url().host())));
          return;
        }
        offer(seed, "add");
        keepAddress(seed.url().authority());
      }
    }
  }

  /** Adds the URLs of a file, or of standard input. */
  void file(String name) {
    new SeedFiles(SeedFormat.AUTO, System.in)
        .read(
            name,
            new SeedReader.Taker() {
              @Override
              public void seed(long number, GivenSeed given) {
                offer(given.seed(), name);
              }

              @Override
              public void bad(long number, long count, String why) {
                answer("line " + number, new AddAnswer.Refused(why));
              }
            });
  }

  private void offer(Seed seed, String from) {
    QueuedUrl plain = QueuedUrl.seed(seed.url(), seed.fallback());
    QueuedUrl url = plain.of(source);
    String origin = source.map("source "::concat).orElse(from);
    answer(seed.url().toString(), intake.offer(url, origin, Instant.now()));
  }

  private void answer(String url, AddAnswer answer) {
    refused |= answer instanceof AddAnswer.Refused;
    answers.accept(url, answer);
  }

  /** Later crawls may ask a private address that a person has named. */
  private void keepAddress(Authority authority) {
    guard
        .firstKind(authority)
        .ifPresent(
            kind -> intake.keepAddresses(List.of(new SeedAddress(authority, kind.text(), true))));
  }
}
