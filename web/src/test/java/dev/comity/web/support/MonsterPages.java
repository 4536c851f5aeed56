package dev.comity.web.support;

import dev.comity.core.port.fetch.LinkExtractor.Extraction;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Supplier;

/**
 * Reads pages of ten megabytes that are made to be costly, five at a time, with everything they
 * give still held. A process of its own, so that its heap is its own.
 */
public final class MonsterPages {
  private static final int SIZE = 10 * 1024 * 1024;
  private static final int AT_ONCE = 5;

  private MonsterPages() {}

  public static void main(String[] arguments) throws Exception {
    try (ExecutorService readers = Executors.newFixedThreadPool(AT_ONCE)) {
      for (Map.Entry<String, Supplier<byte[]>> monster : monsters().entrySet()) {
        long start = System.nanoTime();
        List<Callable<Extraction>> five = new ArrayList<>();
        for (int copy = 0; copy < AT_ONCE; copy++) {
          byte[] own = monster.getValue().get();
          five.add(() -> Pages.read("text/html; charset=utf-8", own));
        }
        int links = 0;
        for (Future<Extraction> read : readers.invokeAll(five)) {
          links += read.get().links().size();
        }
        Duration took = Duration.ofNanos(System.nanoTime() - start);
        System.out.println(monster.getKey() + ": " + links + " links, " + took.toMillis() + " ms");
      }
    }
    System.out.println("all read");
  }

  public static Map<String, Supplier<byte[]>> monsters() {
    Map<String, Supplier<byte[]>> monsters = new LinkedHashMap<>();
    monsters.put("nested", () -> filled("", "<div>"));
    monsters.put("nested formatting", () -> filled("", "<b>"));
    monsters.put("nested links", () -> filled("", "<a href=x>"));
    monsters.put("one attribute", () -> filled("<a href='", "x"));
    monsters.put("one wide attribute", () -> filled("<a href='", "\u4e00"));
    monsters.put("many attributes", () -> filled("<a ", "a b=c "));
    monsters.put("names in names", () -> filled("", "<a<"));
    monsters.put("links", () -> numbered("<a href=/"));
    monsters.put(
        "links to long places",
        () -> numbered("<base href='/" + "x".repeat(30_000) + "/'><a href="));
    monsters.put("wide text", () -> filled("", "\u4e00 "));
    monsters.put("almost references", () -> filled("", "&notit"));
    monsters.put("comments", () -> filled("", "<!--->"));
    monsters.put("open comment", () -> filled("<!--", "--"));
    monsters.put("tables", () -> filled("", "<table><td>"));
    monsters.put("scripts in comments", () -> filled("<script><!--", "<script></script>"));
    monsters.put("candidates", () -> filled("<img srcset='", "x,"));
    monsters.put("foreign parts", () -> filled("", "<svg><![CDATA["));
    return monsters;
  }

  private static byte[] filled(String start, String repeated) {
    int times = (SIZE - start.length()) / repeated.getBytes(StandardCharsets.UTF_8).length;
    return (start + repeated.repeat(times)).getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] numbered(String tag) {
    StringBuilder html = new StringBuilder(tag);
    String each = tag.substring(tag.lastIndexOf('<'));
    for (int number = 0; html.length() < SIZE - 100; number++) {
      html.append(number).append('>').append(each);
    }
    return html.toString().getBytes(StandardCharsets.UTF_8);
  }
}
