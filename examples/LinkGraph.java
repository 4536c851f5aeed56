import dev.comity.Comity;

/** Writes links with their words, ready for Graphviz: comity java LinkGraph.java URL > links.dot */
void main(String[] sites) throws Exception {
  IO.println("digraph {");
  var crawl = Comity.crawl(sites).contact("you@example.org");
  var count = new AtomicLong();
  crawl
      .onPage(
          page -> {
            page.links().forEach(link -> IO.println("  " + edge(page.url(), link.to(), link.text())));
            if (count.incrementAndGet() >= 1_000) {
              crawl.stop();
            }
          })
      .run();
  IO.println("}");
}

String edge(Object from, Object to, String words) {
  return "\"%s\" -> \"%s\" [label=\"%s\"];".formatted(from, to, words.replaceAll("[\"\\\\]", ""));
}
