package dev.comity.app.output;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.comity.app.support.Shelf;
import dev.comity.store.DataDirectory;
import dev.comity.store.report.PageFeed;
import java.io.Writer;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PageExportTest {
  @TempDir private Path home;

  /** A writer that breaks as a full heap does. */
  private static final class BreakingWriter extends Writer {
    @Override
    public void write(char[] text, int from, int length) {
      throw new StackOverflowError("too deep");
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }

  @Test
  void a_line_that_breaks_its_thread_ends_the_export_with_the_reason() {
    Shelf.small(home);
    try (PageFeed feed = PageFeed.open(new DataDirectory(home), 1)) {
      PageExport export = new PageExport(feed, new BreakingWriter(), 0);
      assertThatThrownBy(export::close)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("the pages cannot be written: ")
          .hasMessageContaining("too deep");
    }
  }
}
