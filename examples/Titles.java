import dev.comity.Comity;

/** Writes the URL, status and title of every page as CSV: comity java Titles.java URL > titles.csv */
void main(String[] sites) throws Exception {
  IO.println("url,status,title");
  Comity.crawl(sites)
      .contact("you@example.org")
      .maxPages(200)
      .onPage(page -> IO.println(page.url() + "," + page.status() + "," + cell(page.title().orElse(""))))
      .run();
}

/** A cell that no spreadsheet takes for a formula. */
String cell(String text) {
  return "\"" + text.replaceFirst("^[=+@-]", "'$0").replace("\"", "\"\"") + "\"";
}
