import dev.comity.CollectedImage;
import dev.comity.Comity;
import java.nio.file.Path;

/** Keeps the images of a site and lists them: comity java Pictures.java DIRECTORY URL */
void main(String[] arguments) throws Exception {
  IO.println("sha256\ttype\tsize\turl\tpage");
  Comity.crawl(arguments[1])
      .contact("you@example.org")
      .data(Path.of(arguments[0]))
      .images(1000)
      .onImage(this::list)
      .run();
}

void list(CollectedImage image) {
  String size = image.width().orElse(0) + "x" + image.height().orElse(0);
  String page = image.page().map(Object::toString).orElse("");
  IO.println(String.join("\t", image.sha256(), image.mediaType(), size, image.url().toString(), page));
}
