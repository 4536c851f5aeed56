package dev.comity.app.export;

import dev.comity.app.text.Fields;
import java.io.Closeable;
import java.io.IOException;

/** Writes rows in one format, one after the other. Closing it completes the file. */
public interface RowWriter extends Closeable {
  void write(Fields row) throws IOException;
}
