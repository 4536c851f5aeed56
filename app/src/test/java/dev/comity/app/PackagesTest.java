package dev.comity.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.Source;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * Packages are small and have an order. A package has at most 26 source files, so its listing fits
 * one screen. No package needs another that needs it, so each can be read after those below it.
 */
class PackagesTest {
  private static final int MOST_FILES = 26;

  private static final JavaClasses OURS =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .withImportOption(location -> !location.contains("testkit"))
          .importPackages("dev.comity");

  @Test
  void every_module_is_looked_at() {
    assertThat(files().keySet())
        .contains("dev.comity", "dev.comity.app", "dev.comity.core.engine", "dev.comity.store")
        .contains("dev.comity.content")
        .anyMatch(name -> name.startsWith("dev.comity.web."));
    assertThat(files().values().stream().mapToInt(Set::size).sum()).isGreaterThan(300);
  }

  @Test
  void no_package_has_more_files_than_fit_a_screen() {
    assertThat(fuller(MOST_FILES)).isEmpty();
  }

  @Test
  void a_full_package_is_found_out() {
    assertThat(fuller(10))
        .contains("dev.comity.core.policy")
        .doesNotContain("dev.comity.app.metrics");
  }

  @Test
  void no_packages_need_one_another() {
    Map<String, Set<String>> needs = needs();
    assertThat(needs.get("dev.comity.app")).contains("dev.comity.app.command");
    assertThat(circles(needs)).isEmpty();
  }

  @Test
  void packages_that_need_one_another_are_found_out() {
    Map<String, Set<String>> needs = needs();
    needs
        .computeIfAbsent("dev.comity.core.url", _ -> new TreeSet<>())
        .add("dev.comity.core.policy");
    assertThat(circles(needs))
        .containsKeys("dev.comity.core.url", "dev.comity.core.policy")
        .doesNotContainKeys("dev.comity.core.util", "dev.comity.app");
  }

  /** Source files by package; the package's story is one of them. */
  private static Map<String, Set<String>> files() {
    Map<String, Set<String>> files = new TreeMap<>();
    for (JavaClass each : OURS) {
      String file = each.getSource().flatMap(Source::getFileName).orElseThrow();
      files.computeIfAbsent(each.getPackageName(), _ -> new TreeSet<>()).add(file);
    }
    return files;
  }

  private static Set<String> fuller(int most) {
    Map<String, Set<String>> files = files();
    files.values().removeIf(names -> names.size() <= most);
    return files.keySet();
  }

  /** Which other packages of ours each package needs. */
  private static Map<String, Set<String>> needs() {
    Map<String, Set<String>> needs = new TreeMap<>();
    for (JavaClass each : OURS) {
      Set<String> needed = needs.computeIfAbsent(each.getPackageName(), _ -> new TreeSet<>());
      for (Dependency dependency : each.getDirectDependenciesFromSelf()) {
        JavaClass target = dependency.getTargetClass().getBaseComponentType();
        if (OURS.contain(target.getFullName())
            && !target.getPackageName().equals(each.getPackageName())) {
          needed.add(target.getPackageName());
        }
      }
    }
    return needs;
  }

  /**
   * What is left when packages are taken away that need none of the rest, or that none of the rest
   * needs: the packages on circles and between them.
   */
  private static Map<String, Set<String>> circles(Map<String, Set<String>> needs) {
    Map<String, Set<String>> left = new TreeMap<>();
    needs.forEach((name, needed) -> left.put(name, new TreeSet<>(needed)));
    boolean less = true;
    while (less) {
      left.values().forEach(needed -> needed.retainAll(left.keySet()));
      Set<String> needed = new TreeSet<>();
      left.values().forEach(needed::addAll);
      less = left.entrySet().removeIf(each -> each.getValue().isEmpty());
      less |= left.keySet().retainAll(needed);
    }
    return left;
  }
}
