package dev.comity.core.engine.domain;

import dev.comity.core.engine.plan.CrawlParts;
import dev.comity.core.engine.shared.ByteBudget;
import dev.comity.core.outcome.Attempt;
import dev.comity.core.outcome.FetchOutcome;
import dev.comity.core.outcome.FetchOutcome.Cancelled;
import dev.comity.core.outcome.FetchOutcome.Success;
import dev.comity.core.outcome.FetchOutcome.Undecodable;
import dev.comity.core.outcome.FetchOutcome.UsageRefused;
import dev.comity.core.outcome.Fetched;
import dev.comity.core.outcome.Headers;
import dev.comity.core.outcome.Kind;
import dev.comity.core.port.fetch.ExchangeArchive.ArchivedExchange;
import dev.comity.core.port.fetch.Fetcher.Departure;
import dev.comity.core.port.fetch.Fetcher.Want;
import dev.comity.core.port.fetch.ImageRef;
import dev.comity.core.port.fetch.KeptPage;
import dev.comity.core.port.fetch.LinkExtractor.Extraction;
import dev.comity.core.port.fetch.PageReading;
import dev.comity.core.port.fetch.Validators;
import dev.comity.core.port.fetch.WireExchange;
import dev.comity.core.port.image.ImageFacts;
import dev.comity.core.port.image.ImageHarvest;
import dev.comity.core.port.image.ImageReader;
import dev.comity.core.port.store.ImageFinds;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.port.store.Settlement.PageContent;
import dev.comity.core.url.Authority;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.usage.UsageRefusal;
import dev.comity.core.usage.Wishes;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.BiPredicate;
import java.util.function.Consumer;

/**
 * One request in flight. It fetches and parses in a thread of its own. It reports its start and its
 * answer to the worker that sent it.
 */
final class FetchTask {
  private final Kind kind;
  private final CrawlUrl url;
  private final QueuedUrl entry;
  private final int ordinal;
  private final Duration delay;
  private final Duration firstByte;
  private final BiPredicate<FetchTask, Instant> mayStart;
  private final ByteBudget bodies;
  private final ByteBudget.Share share = new ByteBudget.Share();
  private final Consumer<Report> inbox;
  private final CrawlParts parts;
  private final UsageTerms usage;
  private Wishes known = Wishes.NONE;
  private String address = "";
  private Optional<Duration> shared = Optional.empty();
  private boolean letGo;
  private Optional<Instant> startedAt = Optional.empty();
  private Optional<WireExchange> exchange = Optional.empty();

  /**
   * @param entry the URL it is sent for: the page itself, or the page that needs the robots.txt
   * @param delay the effective delay it is sent under
   * @param mayStart asked when the connection is open: whether the request may still be written
   * @param bodies where memory for the body is reserved
   */
  FetchTask(
      Kind kind,
      CrawlUrl url,
      QueuedUrl entry,
      int ordinal,
      Duration delay,
      Duration firstByte,
      BiPredicate<FetchTask, Instant> mayStart,
      ByteBudget bodies,
      Consumer<Report> inbox,
      CrawlParts parts,
      UsageTerms usage) {
    this.kind = kind;
    this.url = url;
    this.entry = entry;
    this.ordinal = ordinal;
    this.delay = delay;
    this.firstByte = firstByte;
    this.mayStart = mayStart;
    this.bodies = bodies;
    this.inbox = inbox;
    this.parts = parts;
    this.usage = usage;
  }

  /** A message to the worker. */
  sealed interface Report {}

  /** The first byte of the request was written. */
  record Started(FetchTask task, Instant at) implements Report {}

  /** The address of a server was looked up, for a request to come. */
  record Located(Authority authority, String address, Instant at) implements Report {}

  /** Failures counted since then were an outage of the crawler's own network. */
  record TakenBack(Instant since) implements Report {}

  /** The request has ended. */
  record Completed(
      FetchTask task,
      Optional<Instant> startedAt,
      Instant at,
      Fetched fetched,
      List<CrawlUrl> links,
      List<ImageRef> images,
      ImageFinds finds,
      Optional<PageContent> content)
      implements Report {

    /** The attempt it answers; a request that never started counts from its end. */
    Attempt attempt() {
      return task.attempt(startedAt.orElse(at));
    }
  }

  Kind kind() {
    return kind;
  }

  CrawlUrl url() {
    return url;
  }

  QueuedUrl entry() {
    return entry;
  }

  /** The source whose turn it needs: a robots.txt or tdmrep.json needs none. */
  Optional<String> source() {
    return kind == entry.kind() ? entry.source() : Optional.empty();
  }

  /** The address of its server; known before it runs. */
  String address() {
    return address;
  }

  void goesTo(String where) {
    address = where;
  }

  /** The delay of the budget that its domain shares with others, if it shares one. */
  Optional<Duration> shared() {
    return shared;
  }

  void startsUnder(Optional<Duration> delay) {
    shared = delay;
  }

  /** What its site says about its use, as far as it is known before the request. */
  void knows(Wishes wishes) {
    known = wishes;
  }

  /** The memory reserved for its body, to be released when the answer is handled. */
  ByteBudget.Share share() {
    return share;
  }

  Attempt attempt(Instant at) {
    return new Attempt(url, kind, ordinal, at, delay);
  }

  void run() {
    Optional<Completed> answer = Optional.empty();
    try {
      Completed completed = read(parts.fetcher().fetch(url, want(), firstByte, departure()));
      archive(completed);
      answer = Optional.of(completed);
    } catch (InterruptedException _) {
      // The crawl is stopping, and the request counts as cancelled.
    } finally {
      inbox.accept(answer.orElseGet(this::cancelled));
    }
  }

  /**
   * Keeps the exchange before its URL can be settled. Where it cannot be kept, the request counts
   * as cancelled and the crawl ends.
   */
  private void archive(Completed completed) {
    if (exchange.isEmpty() || parts.archive().isEmpty()) {
      return;
    }
    Optional<PageContent> content = completed.content();
    parts
        .archive()
        .get()
        .keep(
            new ArchivedExchange(
                url,
                kind,
                startedAt.orElse(completed.at()),
                completed.fetched().total(),
                entry.depth(),
                entry.referrer(),
                content.filter(PageContent::mayKeep).flatMap(PageContent::title),
                content.map(page -> page.reading().wishes()).orElse(Wishes.NONE),
                exchange.get()));
    exchange = Optional.empty();
  }

  private Completed cancelled() {
    return bare(new Fetched(new Cancelled(), Optional.empty(), Duration.ZERO, 0));
  }

  private Completed read(Fetched fetched) throws InterruptedException {
    Completed bare = bare(fetched);
    if (kind == Kind.SITEMAP && fetched.outcome() instanceof Success file) {
      return isSitemap(file) ? bare : bare(unreadable(fetched, file, "it is no sitemap"));
    }
    if (kind == Kind.IMAGE && fetched.outcome() instanceof Success file) {
      return image(fetched, file);
    }
    if (!kind.isRead() || !(fetched.outcome() instanceof Success page)) {
      return bare;
    }
    try {
      Extraction extraction = parts.links().extract(url, page);
      PageReading reading = extraction.reading().after(known);
      Optional<UsageRefusal> refusal = usage.refusal(kind, reading.wishes());
      PageContent content =
          new PageContent(
              extraction.title(),
              extraction.reads(),
              page.headers().first("content-type"),
              extraction.leftOut(),
              extraction.mayKeep() && refusal.isEmpty(),
              reading,
              extraction.mayKeep() && refusal.isEmpty()
                  ? kept(page, extraction, bare.at())
                  : Optional.empty(),
              refusal);
      return new Completed(
          this,
          startedAt,
          bare.at(),
          fetched,
          extraction.links(),
          extraction.images(),
          finds(extraction),
          Optional.of(content));
    } catch (RuntimeException | StackOverflowError | OutOfMemoryError broken) {
      // A page that cannot be parsed costs that page, never the crawl.
      String why = "reading it failed with " + broken.getClass().getSimpleName();
      return bare(unreadable(fetched, page, why));
    }
  }

  /** In this thread: what a page says of its images takes a walk of its own. */
  private ImageFinds finds(Extraction extraction) {
    int found = extraction.images().size();
    return parts.images().isEmpty() || found == 0
        ? ImageFinds.counted(found)
        : new ImageFinds(found, extraction.reading().images().get(), Optional.empty());
  }

  /** Reads an image, and keeps its file before it is settled. */
  private Completed image(Fetched fetched, Success file) {
    ImageHarvest harvest = parts.images().orElseThrow();
    ImageReader.ImageReading reading;
    try {
      reading = harvest.reader().read(file);
    } catch (RuntimeException | StackOverflowError | OutOfMemoryError broken) {
      // An image that cannot be read costs that image, never the crawl.
      String why = "reading it failed with " + broken.getClass().getSimpleName();
      return bare(unreadable(fetched, file, why));
    }
    return switch (reading) {
      case ImageReader.ImageRefused(var outcome, var why) -> bare(fetched.as(outcome, why));
      case ImageReader.ImageTaken(var image)
          when usage.refusal(kind, image.wishes()).isPresent() -> {
        UsageRefusal refusal = usage.refusal(kind, image.wishes()).get();
        yield bare(
            fetched.as(new UsageRefused(file.code(), refusal, image.wishes()), refusal.toString()));
      }
      case ImageReader.ImageTaken(var image) -> {
        harvest.files().ifPresent(files -> files.keep(image, file.body()));
        ImageFacts facts = harvest.files().isPresent() ? image.asKept() : image;
        yield completed(fetched, ImageFinds.taken(facts));
      }
    };
  }

  /** A page whose content cannot be made is kept without it. */
  private Optional<KeptPage> kept(Success page, Extraction extraction, Instant at)
      throws InterruptedException {
    if (parts.keeper().isEmpty() || kind != Kind.PAGE) {
      return Optional.empty();
    }
    try {
      return Optional.of(parts.keeper().get().keep(url, page, extraction, at));
    } catch (RuntimeException | StackOverflowError | OutOfMemoryError _) {
      return Optional.empty();
    }
  }

  private boolean isSitemap(Success file) {
    try {
      return parts.sitemaps().isEmpty() || parts.sitemaps().get().recognizes(file.body());
    } catch (RuntimeException | StackOverflowError | OutOfMemoryError broken) {
      return false;
    }
  }

  private static Fetched unreadable(Fetched fetched, Success page, String why) {
    return new Fetched(
        new Undecodable(page.code(), why), fetched.firstByte(), fetched.total(), fetched.bytes());
  }

  private Completed bare(Fetched fetched) {
    return completed(fetched, ImageFinds.NONE);
  }

  private Completed completed(Fetched fetched, ImageFinds finds) {
    if (letGo) {
      // It ended before the fetcher reported a start; part of the request may have been written.
      started();
    }
    return new Completed(
        this,
        startedAt,
        parts.time().instant(),
        fetched,
        List.of(),
        List.of(),
        finds,
        Optional.empty());
  }

  private Departure departure() {
    return new Departure() {
      @Override
      public boolean start() {
        letGo = mayStart.test(FetchTask.this, parts.time().instant());
        return letGo;
      }

      @Override
      public void started() {
        FetchTask.this.started();
      }

      @Override
      public Optional<FetchOutcome> refuse(int code, Headers headers) {
        return usage.refused(kind, code, headers, known);
      }

      @Override
      public void reserve(long length) throws InterruptedException {
        bodies.reserve(share, length, parts.time());
      }

      @Override
      public boolean keepsReceived() {
        return kind == Kind.PAGE
            && parts.keeper().isPresent()
            && parts.keeper().get().usesReceived();
      }

      @Override
      public Validators validators() {
        return entry.isRevisit() && kind == entry.kind()
            ? entry
                .visits()
                .map(known -> new Validators(known.etag(), known.lastModified()))
                .orElse(Validators.NONE)
            : Validators.NONE;
      }

      @Override
      public boolean keepsExchange() {
        return parts.archive().isPresent();
      }

      @Override
      public void exchanged(WireExchange wire) {
        exchange = Optional.of(wire);
      }
    };
  }

  private void started() {
    if (startedAt.isEmpty()) {
      Instant now = parts.time().instant();
      startedAt = Optional.of(now);
      inbox.accept(new Started(this, now));
    }
  }

  private Want want() {
    return switch (kind) {
      case PAGE, LINKS -> Want.PAGE;
      case IMAGE -> Want.IMAGE;
      case SITEMAP -> Want.SITEMAP;
      case ROBOTS -> Want.ROBOTS;
      case TDMREP -> Want.TDMREP;
    };
  }
}
