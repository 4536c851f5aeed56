import dev.comity.Comity;
import dev.comity.Page;

/** Writes names and prices found by CSS: comity java Prices.java h1 .price URL */
void main(String[] arguments) throws Exception {
  String name = arguments[0];
  String price = arguments[1];
  Comity.crawl(arguments[2])
      .contact("you@example.org")
      .follow(link -> !link.to().target().contains("/basket"))
      .onPage(page -> write(page, name, price))
      .run();
}

void write(Page page, String name, String price) {
  var names = page.select(name);
  var prices = page.select(price);
  for (int at = 0; at < Math.min(names.size(), prices.size()); at++) {
    IO.println(names.get(at) + "\t" + prices.get(at));
  }
}
