package dev.comity.app;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import dev.comity.app.support.Sneaky;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Only one package reaches the network: {@code dev.comity.web.net} opens sockets and looks names
 * up, and {@code dev.comity.web.net} lays TLS over them. Whatever asks for something (robots.txt, a
 * sitemap, a page to be seen again) has no other way.
 */
public class NetworkPackageTest {
  /** What opens a connection or asks a name server, by class. Constructors are {@code <init>}. */
  private static final Map<String, Set<String>> WAYS_OUT =
      Map.ofEntries(
          Map.entry("java.net.Socket", Set.of("<init>", "connect", "bind")),
          Map.entry("java.net.DatagramSocket", Set.of("<init>", "connect", "send")),
          Map.entry("java.net.MulticastSocket", Set.of("<init>")),
          Map.entry("java.net.ServerSocket", Set.of("<init>")),
          Map.entry("java.nio.channels.SocketChannel", Set.of("open", "connect")),
          Map.entry("java.nio.channels.AsynchronousSocketChannel", Set.of("open", "connect")),
          Map.entry("java.nio.channels.DatagramChannel", Set.of("open", "connect", "send")),
          Map.entry("java.nio.channels.ServerSocketChannel", Set.of("open")),
          Map.entry("java.nio.channels.AsynchronousServerSocketChannel", Set.of("open")),
          Map.entry("javax.net.SocketFactory", Set.of("getDefault", "createSocket")),
          Map.entry("javax.net.ssl.SSLSocketFactory", Set.of("getDefault", "createSocket")),
          Map.entry(
              "java.net.InetAddress",
              Set.of(
                  "getByName",
                  "getAllByName",
                  "getLocalHost",
                  "getHostName",
                  "getCanonicalHostName",
                  "isReachable")),
          Map.entry("java.net.InetSocketAddress", Set.of("getHostName")),
          Map.entry(
              "java.net.URL",
              Set.of("openConnection", "openStream", "getContent", "equals", "hashCode")),
          Map.entry("org.jsoup.Jsoup", Set.of("connect", "newSession")));

  private static final List<String> CLOSED_PACKAGES =
      List.of("java.net.http", "javax.naming", "com.sun.net.httpserver", "org.jsoup.helper");

  /**
   * The network package, TLS over its connections, and the demo's sites and the metrics, which
   * listen.
   */
  private static final DescribedPredicate<JavaClass> MAY =
      DescribedPredicate.describe(
          "the network package, TLS, the demo's own site and the metrics",
          found ->
              found.getPackageName().equals("dev.comity.web.net")
                  || found.getPackageName().equals("dev.comity.app.demo")
                  || found.getPackageName().equals("dev.comity.app.metrics"));

  private static final ArchRule NO_OTHER_WAY =
      classes().that(DescribedPredicate.not(MAY)).should(new StayInside());

  private static final class StayInside extends ArchCondition<JavaClass> {
    StayInside() {
      super("neither open connections nor look names up");
    }

    @Override
    public void check(JavaClass checked, ConditionEvents events) {
      for (JavaAccess<?> access : checked.getAccessesFromSelf()) {
        if (leadsOut(access.getTarget())) {
          events.add(SimpleConditionEvent.violated(checked, access.getDescription()));
        }
      }
    }
  }

  private static boolean leadsOut(AccessTarget target) {
    JavaClass owner = target.getOwner();
    return WAYS_OUT.getOrDefault(owner.getFullName(), Set.of()).contains(target.getName())
        || CLOSED_PACKAGES.stream().anyMatch(owner.getPackageName()::startsWith)
        || looksUpWhileMade(target);
  }

  /** An endpoint made of a name asks for its address at once. */
  private static boolean looksUpWhileMade(AccessTarget target) {
    return target.getOwner().getFullName().equals("java.net.InetSocketAddress")
        && target.getName().equals("<init>")
        && target instanceof CodeUnitAccessTarget made
        && made.getRawParameterTypes().stream()
            .anyMatch(type -> type.getFullName().equals("java.lang.String"));
  }

  @Test
  void only_the_network_package_opens_connections_or_looks_names_up() {
    JavaClasses ours =
        new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .withImportOption(location -> !location.contains("testkit"))
            .importPackages("dev.comity");
    assertThat(ours.contain("dev.comity.core.engine.Crawl")).isTrue();
    assertThat(ours.contain("dev.comity.store.sqlite.SqliteStore")).isTrue();
    assertThat(ours.contain("dev.comity.web.html.HtmlReader")).isTrue();
    assertThat(ours.contain("dev.comity.app.command.CrawlCommand")).isTrue();
    NO_OTHER_WAY.check(ours);
  }

  @Test
  void a_class_that_goes_out_by_itself_is_found_out() {
    JavaClasses sneaky = new ClassFileImporter().importClasses(Sneaky.class);
    assertThat(String.join("\n", NO_OTHER_WAY.evaluate(sneaky).getFailureReport().getDetails()))
        .contains("java.net.InetAddress.getByName")
        .contains("java.net.InetSocketAddress.<init>(java.lang.String, int)")
        .contains("java.net.Socket.<init>")
        .contains("java.net.URL.openStream")
        .contains("java.net.http.HttpClient.newHttpClient")
        .doesNotContain("ofLiteral")
        .doesNotContain("createUnresolved");
  }
}
