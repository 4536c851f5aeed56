package dev.comity.archive;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * Repairs files that a crash left open: each is cut back to its last whole record and gets its
 * final name. A file without an exchange is removed.
 */
final class WarcRepair {
  private static final int BUFFER = 1 << 16;

  private WarcRepair() {}

  /** Repairs every file of the directory that no process writes; says how many. */
  static int repair(Path directory) throws IOException {
    int repaired = 0;
    try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "*" + WarcFile.OPEN)) {
      for (Path path : files) {
        Optional<WarcFile> left = WarcFile.locked(path);
        if (left.isPresent()) {
          repair(left.get());
          repaired++;
        }
      }
    }
    return repaired;
  }

  private static void repair(WarcFile file) throws IOException {
    WholeMembers whole = new WholeMembers(file.file());
    whole.scan();
    if (whole.members <= 1) {
      // A file begins with a record about itself.
      file.discard();
      return;
    }
    file.cutTo(whole.end);
    file.close();
  }

  /** Reads gzip members as this package writes them, up to the first that is not whole. */
  private static final class WholeMembers {
    private final RandomAccessFile file;
    private long end;
    private int members;

    WholeMembers(RandomAccessFile file) {
      this.file = file;
    }

    void scan() throws IOException {
      Inflater inflater = new Inflater(true);
      try {
        while (end < file.length()) {
          long next = memberAt(end, inflater);
          end = next;
          members++;
        }
      } catch (EOFException | DataFormatException _) {
        // What follows is not whole.
      } finally {
        inflater.end();
      }
    }

    /** Where the member ends that begins there. */
    private long memberAt(long start, Inflater inflater) throws IOException, DataFormatException {
      file.seek(start);
      // Not closed: the file is used further.
      InputStream in = new BufferedInputStream(new FileInput(file), BUFFER);
      DataInputStream data = new DataInputStream(in);
      if (data.readUnsignedShort() != 0x1f8b || data.readUnsignedShort() != 0x0800) {
        throw new DataFormatException("no gzip member of ours");
      }
      data.skipNBytes(6);
      inflater.reset();
      CRC32 crc = new CRC32();
      byte[] packed = new byte[BUFFER];
      byte[] text = new byte[BUFFER];
      while (!inflater.finished()) {
        if (inflater.needsInput()) {
          int count = in.read(packed);
          if (count < 0) {
            throw new EOFException();
          }
          inflater.setInput(packed, 0, count);
        }
        int count = inflater.inflate(text);
        crc.update(text, 0, count);
      }
      long after = start + 10 + inflater.getBytesRead();
      file.seek(after);
      int sum = Integer.reverseBytes(file.readInt());
      int size = Integer.reverseBytes(file.readInt());
      if (sum != (int) crc.getValue() || size != (int) inflater.getBytesWritten()) {
        throw new DataFormatException("wrong check sum");
      }
      return after + 8;
    }
  }

  private static final class FileInput extends InputStream {
    private final RandomAccessFile file;

    FileInput(RandomAccessFile file) {
      this.file = file;
    }

    @Override
    public int read() throws IOException {
      return file.read();
    }

    @Override
    public int read(byte[] into, int offset, int most) throws IOException {
      return file.read(into, offset, most);
    }
  }
}
