package dev.comity.store;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Tells a crawl that an operator has changed something, through a number in a small file of the
 * data directory. All processes map it into memory, so a look costs nanoseconds and is made before
 * every request.
 *
 * <p>An operator raises it within the transaction of its change. A crawl that sees it raised reads
 * in a transaction that writes, which waits for the operator's. So a change that is committed is
 * never overlooked. A number that is lost with the machine does no harm.
 */
public final class OperatorSignal {
  private static final String FILE = "operator-signal";

  private final ByteBuffer number;

  private OperatorSignal(ByteBuffer number) {
    this.number = number;
  }

  /** The signal of a data directory, which exists; made where it is missing. */
  public static OperatorSignal of(DataDirectory directory) {
    Path file = directory.path().resolve(FILE);
    try (FileChannel channel =
        FileChannel.open(
            file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      // Mapped by way of an arena: the JDK makes a mapped buffer by reflection, which takes 10 ms.
      return new OperatorSignal(
          channel
              .map(FileChannel.MapMode.READ_WRITE, 0, Long.BYTES, Arena.ofAuto())
              .asByteBuffer());
    } catch (IOException failed) {
      throw new StoreUnusable("cannot use " + file + ": " + failed.getMessage(), failed);
    }
  }

  /** How often it was raised. Thread-safe. */
  public long count() {
    VarHandle.fullFence();
    return number.getLong(0);
  }

  /** Raises it. The caller is in a transaction that writes, so no other process raises it now. */
  public void raise() {
    number.putLong(0, number.getLong(0) + 1);
    VarHandle.fullFence();
  }
}
