package dev.comity.bench;

import dev.comity.core.engine.Crawl;
import dev.comity.core.engine.SystemTimeline;
import dev.comity.core.engine.plan.CrawlLimits;
import dev.comity.core.engine.plan.CrawlParts;
import dev.comity.core.engine.plan.CrawlPlan;
import dev.comity.core.policy.DomainPolicy;
import dev.comity.core.policy.settings.PaceSettings;
import dev.comity.core.policy.settings.PolicySettings;
import dev.comity.core.port.CrawlListener;
import dev.comity.core.port.run.RunTerms;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.scope.Scope;
import dev.comity.core.url.CrawlUrl;
import dev.comity.core.url.Grouping;
import dev.comity.store.DataDirectory;
import dev.comity.store.StoreSettings;
import dev.comity.store.sqlite.SqliteStore;
import dev.comity.web.html.HtmlReader;
import dev.comity.web.http.FetchSettings;
import dev.comity.web.http.HttpFetcher;
import dev.comity.web.http.UserAgent;
import dev.comity.web.net.AddressGuard;
import dev.comity.web.robots.RobotsTxt;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.NullMarked;

/**
 * How well many domains keep their pace, judged by when their server got the requests. All hosts
 * are on this machine, each at an address of its own.
 *
 * <pre>
 * PaceLoad DIR HOSTS DELAY SECONDS [trouble] [known=N]
 * </pre>
 *
 * With {@code trouble} one more host never accepts a connection and another sends a byte a second;
 * {@code known} puts so many more domains into the store that wait for their turn.
 */
@NullMarked
public final class PaceLoad {
  private static final int PAGES = 10_000;

  private final Path directory;
  private final int hosts;
  private final Duration delay;
  private final Duration duration;
  private final boolean trouble;
  private final int known;

  private PaceLoad(List<String> arguments) {
    directory = Path.of(arguments.get(0));
    hosts = Integer.parseInt(arguments.get(1));
    delay = Duration.ofMillis(Math.round(1000 * Double.parseDouble(arguments.get(2))));
    duration = Duration.ofSeconds(Long.parseLong(arguments.get(3)));
    trouble = arguments.contains("trouble");
    known =
        arguments.stream()
            .filter(argument -> argument.startsWith("known="))
            .mapToInt(argument -> Integer.parseInt(argument.substring("known=".length())))
            .findFirst()
            .orElse(0);
  }

  public static void main(String[] arguments) throws Exception {
    if (arguments.length < 4) {
      System.err.println("usage: PaceLoad DIR HOSTS DELAY SECONDS [trouble] [known=N]");
      System.exit(2);
    }
    new PaceLoad(List.of(arguments)).run();
  }

  private void run() throws Exception {
    try (PaceServer server = PaceServer.open()) {
      List<String> names = new ArrayList<>();
      for (int host = 0; host < hosts + known; host++) {
        names.add("h" + host + ".example");
      }
      if (trouble) {
        names.addFirst(PaceServer.SLOW);
        names.addFirst(PaceServer.DEAD);
      }
      AddressGuard guard = new AddressGuard(PaceLoad::addressOf, false);
      List<QueuedUrl> seeds = new ArrayList<>();
      for (String name : names) {
        int port = name.equals(PaceServer.DEAD) ? server.deadPort() : server.port();
        CrawlUrl url = CrawlUrl.of("http://" + name + ":" + port + "/page/0");
        guard.named(url.authority());
        seeds.add(QueuedUrl.seed(url, Optional.empty()));
      }
      crawl(guard, seeds);
      server.report(delay);
    }
  }

  /** Each host has an address, as if it were a machine. */
  private static List<InetAddress> addressOf(String name) throws UnknownHostException {
    int number = name.startsWith("h") ? Integer.parseInt(name.replaceAll("\\D", "")) + 1 : 0;
    byte[] address = {127, (byte) (1 + number / 60_000), (byte) (number / 250 % 240), 0};
    address[3] = (byte) (1 + number % 250);
    return List.of(InetAddress.getByAddress(name, address));
  }

  private void crawl(AddressGuard guard, List<QueuedUrl> seeds) throws InterruptedException {
    SystemTimeline time = new SystemTimeline();
    DomainPolicy policy =
        new DomainPolicy(PolicySettings.DEFAULTS.with(PaceSettings.DEFAULTS.withMinimum(delay)));
    Scope scope = Scope.ofSeeds(seeds.stream().map(QueuedUrl::url).toList(), Grouping.BY_HOST);
    CrawlPlan plan =
        CrawlPlan.of(
            policy,
            scope,
            new CrawlLimits(
                Long.MAX_VALUE, PAGES, 256, hosts + (trouble ? 2 : 0), 0, Duration.ofSeconds(5)));
    RunTerms terms = new RunTerms(List.of(), new TreeMap<>(), Long.MAX_VALUE, PAGES);
    try (SqliteStore store =
            SqliteStore.open(
                new DataDirectory(directory), StoreSettings.of(policy, Grouping.BY_HOST, time));
        HttpFetcher fetcher =
            new HttpFetcher(
                FetchSettings.DEFAULT, new UserAgent("0", Optional.empty()), guard, time)) {
      store.begin(terms, time.instant());
      for (int from = 0; from < seeds.size(); from += 2_000) {
        store.add(seeds.subList(from, Math.min(seeds.size(), from + 2_000)), time.instant());
      }
      Crawl crawl =
          new Crawl(
              plan,
              new CrawlParts(
                  store,
                  fetcher,
                  new RobotsTxt(UserAgent.TOKEN),
                  new HtmlReader(UserAgent.TOKEN, time, HtmlReader.BEGINNING),
                  new CrawlListener() {},
                  time));
      Thread watch =
          Thread.ofPlatform()
              .daemon()
              .start(
                  () -> {
                    try {
                      Thread.sleep(duration);
                    } catch (InterruptedException _) {
                      Thread.currentThread().interrupt();
                    }
                    crawl.stop();
                  });
      System.out.println("ended: " + crawl.run());
      watch.interrupt();
    }
    long heap = Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    System.out.printf(Locale.ROOT, "heap in use at the end %,d MB%n", heap >> 20);
  }
}
