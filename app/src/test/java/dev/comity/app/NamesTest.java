package dev.comity.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * A simple name means one thing. Two types share one only if they are the same idea. Private types
 * do not count: they are read in one file only.
 */
class NamesTest {
  /** Names that several types have, and the idea that they share. */
  private static final Map<String, String> SHARED =
      Map.of(
          "Added", "what inserting URLs came to: each store on disk counts it",
          "Closed", "a domain is closed: in the decision, and in the end of its claim",
          "Denied", "robots.txt does not allow the URL: as asked for, and as its fate",
          "Entered", "how many URLs a store took in: each store counts what it can refuse",
          "Granted", "a claim and its row, in each store on disk",
          "Loan", "what came of borrowing a domain, in each store on disk",
          "Stopped", "the crawl was told to stop: the end of the crawl, and of each claim",
          "Visit", "a request as a server of ours saw it: each server sees its own part",
          "WaitUntil", "wait until a time: as the policy decides, and as the worker does");

  private static final JavaClasses OURS =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("dev.comity");

  @Test
  void no_two_types_share_a_name_unless_they_are_one_idea() {
    Map<String, Set<String>> twice = namedTwice();
    twice.keySet().removeAll(SHARED.keySet());
    assertThat(twice).isEmpty();
  }

  @Test
  void names_that_are_shared_no_more_are_not_listed() {
    assertThat(namedTwice()).containsKeys(SHARED.keySet().toArray(String[]::new));
  }

  @Test
  void private_types_do_not_count() {
    assertThat(OURS.stream().map(JavaClass::getSimpleName).filter("Row"::equals))
        .hasSizeGreaterThan(1);
    assertThat(namedTwice()).doesNotContainKey("Row");
  }

  /** Full names of the types that share their simple name, by simple name. */
  private static Map<String, Set<String>> namedTwice() {
    Map<String, Set<String>> named = new TreeMap<>();
    for (JavaClass each : OURS) {
      if (isReadElsewhere(each)) {
        named.computeIfAbsent(each.getSimpleName(), _ -> new TreeSet<>()).add(each.getFullName());
      }
    }
    named.values().removeIf(types -> types.size() == 1);
    return named;
  }

  private static boolean isReadElsewhere(JavaClass type) {
    return !type.isAnonymousClass()
        && !type.isLocalClass()
        && !type.getSimpleName().equals("package-info")
        && !type.getModifiers().contains(JavaModifier.PRIVATE);
  }
}
