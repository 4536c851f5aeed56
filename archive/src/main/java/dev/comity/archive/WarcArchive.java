package dev.comity.archive;

import dev.comity.core.port.fetch.ExchangeArchive;
import dev.comity.core.port.fetch.WireExchange;
import dev.comity.core.usage.Purpose;
import dev.comity.core.usage.UsageRefusal;
import dev.comity.core.util.BoundedMap;
import dev.comity.core.util.Printable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Writes exchanges into WARC 1.1 files of a directory: response or revisit, request and metadata.
 * The thread of the request packs its records; then one lock appends them in one write. When {@link
 * #keep} returns, the operating system has the bytes. A file is forced to the disk when it is full
 * and when the archive is closed.
 */
public final class WarcArchive implements ExchangeArchive, AutoCloseable {
  /** A file that has grown to this size is finished. */
  static final long LARGEST_FILE = 1L << 30;

  /** Payloads that a revisit can refer to: the last ones used. */
  private static final int REMEMBERED = 1 << 15;

  /** A shorter body costs more time than it saves bytes. */
  private static final int WORTH_PACKING = 1024;

  private static final String REVISIT =
      "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest";

  private static final byte[] END = {'\r', '\n', '\r', '\n'};

  private static final DateTimeFormatter NAME =
      DateTimeFormatter.ofPattern("uuuuMMddHHmmssSSS", Locale.ROOT).withZone(ZoneOffset.UTC);

  private final Path directory;
  private final Map<String, String> about;
  private final Set<Purpose> purposes;
  private final InstantSource clock;
  private final long largest;
  private final int repaired;

  private final long high;
  private final AtomicLong low;
  private final ArrayBlockingQueue<GzipMembers> idle = new ArrayBlockingQueue<>(16);
  private final BoundedMap<String, Original> known = BoundedMap.byUse(REMEMBERED);

  private final ReentrantLock appending = new ReentrantLock();
  private @Nullable WarcFile file;
  private @Nullable ArchiveFailed failure;
  private int serial;
  private boolean closed;

  /** The record that first had a payload. */
  private record Original(String url, Instant at) {}

  private WarcArchive(
      Path directory,
      Map<String, String> about,
      Set<Purpose> purposes,
      InstantSource clock,
      long largest,
      int repaired) {
    this.directory = directory;
    this.about = Map.copyOf(about);
    this.purposes = Set.copyOf(purposes);
    this.clock = clock;
    this.largest = largest;
    this.repaired = repaired;
    SecureRandom random = new SecureRandom();
    high = (random.nextLong() & ~0xf000L) | 0x4000L;
    low = new AtomicLong(random.nextLong());
  }

  /**
   * Opens a directory for writing, and repairs what a crash left there.
   *
   * @param about describes the crawl: fields of the record that each file begins with
   * @param purposes where a site refuses one of these, only the head of its answer is kept
   * @throws ArchiveFailed if it cannot be written to
   */
  public static WarcArchive open(
      Path directory, Map<String, String> about, Set<Purpose> purposes, InstantSource clock) {
    return open(directory, about, purposes, clock, LARGEST_FILE);
  }

  static WarcArchive open(
      Path directory,
      Map<String, String> about,
      Set<Purpose> purposes,
      InstantSource clock,
      long largest) {
    try {
      Files.createDirectories(directory);
      int repaired = WarcRepair.repair(directory);
      return new WarcArchive(directory, about, purposes, clock, largest, repaired);
    } catch (IOException failed) {
      throw new ArchiveFailed(
          "cannot write an archive to %s: %s; name another directory with --warc"
              .formatted(directory, failed.getMessage()),
          failed);
    }
  }

  /** How many files of a crashed process were repaired. */
  public int repaired() {
    return repaired;
  }

  @Override
  public void keep(ArchivedExchange exchange) {
    GzipMembers members = idle.poll();
    if (members == null) {
      members = new GzipMembers();
    }
    try {
      Optional<UsageRefusal> refusal = exchange.wishes().refusalOfPage(purposes);
      pack(members, exchange, refusal);
      append(members);
      if (refusal.isEmpty()) {
        remember(exchange);
      }
    } finally {
      members.clear();
      if (!idle.offer(members)) {
        members.free();
      }
    }
  }

  private void pack(
      GzipMembers members, ArchivedExchange exchange, Optional<UsageRefusal> refusal) {
    String response = id();
    WireExchange wire = exchange.wire();
    Optional<Original> original = refusal.isEmpty() ? original(wire) : Optional.empty();
    RecordHeader header =
        new RecordHeader(
                original.isEmpty() ? "response" : "revisit", response, exchange.startedAt())
            .and("WARC-Target-URI", exchange.url().toString());
    wire.address().ifPresent(address -> header.and("WARC-IP-Address", address));
    if (refusal.isPresent()) {
      header.and("WARC-Truncated", "unspecified");
    } else {
      header.and("WARC-Payload-Digest", "sha256:" + wire.digest());
      if (original.isPresent()) {
        header
            .and("WARC-Profile", REVISIT)
            .and("WARC-Refers-To-Target-URI", original.get().url())
            .and("WARC-Refers-To-Date", RecordHeader.date(original.get().at()))
            .and("WARC-Truncated", "length");
      } else {
        wire.cut().ifPresent(cut -> header.and("WARC-Truncated", word(cut)));
      }
    }
    boolean headOnly = refusal.isPresent() || original.isPresent();
    ByteBuffer answer = wire.response();
    ByteBuffer head = answer.slice(answer.position(), wire.head());
    ByteBuffer body =
        headOnly
            ? ByteBuffer.allocate(0)
            : answer.slice(answer.position() + wire.head(), answer.remaining() - wire.head());
    ByteBuffer named =
        header.of("application/http;msgtype=response", (long) head.remaining() + body.remaining());
    if (body.remaining() < WORTH_PACKING || PackedBodies.isPacked(head)) {
      members.store(named, head, body, ByteBuffer.wrap(END));
    } else {
      members.pack(named, head, body, ByteBuffer.wrap(END));
    }

    RecordHeader asked =
        new RecordHeader("request", id(), exchange.startedAt())
            .and("WARC-Target-URI", exchange.url().toString())
            .and("WARC-Concurrent-To", response);
    record(members, asked, "application/http;msgtype=request", wire.request());

    RecordHeader more =
        new RecordHeader("metadata", id(), exchange.startedAt())
            .and("WARC-Target-URI", exchange.url().toString())
            .and("WARC-Concurrent-To", response);
    record(members, more, "application/warc-fields", fields(exchange, refusal));
  }

  private static void record(
      GzipMembers members, RecordHeader header, String type, ByteBuffer block) {
    members.store(header.of(type, block.remaining()), block, ByteBuffer.wrap(END));
  }

  private static String word(WireExchange.CutReason cut) {
    return switch (cut) {
      case LENGTH -> "length";
      case TIME -> "time";
      case DISCONNECT -> "disconnect";
    };
  }

  private static ByteBuffer fields(ArchivedExchange exchange, Optional<UsageRefusal> refusal) {
    StringBuilder fields = new StringBuilder(256);
    field(fields, "kind", exchange.kind().name().toLowerCase(Locale.ROOT));
    field(fields, "depth", Integer.toString(exchange.depth()));
    field(fields, "fetchTimeMs", Long.toString(exchange.total().toMillis()));
    exchange.referrer().ifPresent(url -> field(fields, "via", url.toString()));
    exchange.title().ifPresent(title -> field(fields, "title", Printable.text(title)));
    refusal.ifPresent(why -> field(fields, "withheld", Printable.text(why.toString())));
    return ByteBuffer.wrap(fields.toString().getBytes(StandardCharsets.UTF_8));
  }

  private static void field(StringBuilder fields, String name, String value) {
    fields.append(name).append(": ").append(value).append("\r\n");
  }

  /** Unique in this process by its count, and elsewhere by its random beginning. */
  private String id() {
    long number = (low.getAndIncrement() & 0x3fff_ffff_ffff_ffffL) | 0x8000_0000_0000_0000L;
    return "<urn:uuid:" + new UUID(high, number) + ">";
  }

  private Optional<Original> original(WireExchange wire) {
    if (wire.payload() == 0 || wire.cut().isPresent()) {
      return Optional.empty();
    }
    synchronized (known) {
      return Optional.ofNullable(known.get(wire.digest()));
    }
  }

  /** Only after it is written: no revisit refers to a record that a crash could lose. */
  private void remember(ArchivedExchange exchange) {
    WireExchange wire = exchange.wire();
    if (wire.payload() > 0 && wire.cut().isEmpty()) {
      synchronized (known) {
        known.putIfAbsent(
            wire.digest(), new Original(exchange.url().toString(), exchange.startedAt()));
      }
    }
  }

  private void append(GzipMembers members) {
    appending.lock();
    try {
      if (failure != null) {
        throw failure;
      }
      if (closed) {
        throw new ArchiveFailed(
            "the archive in %s is closed".formatted(directory), new IllegalStateException());
      }
      WarcFile open = file == null ? next() : file;
      open.append(members.bytes(), members.length());
      if (open.size() >= largest) {
        file = null;
        open.close();
      }
    } catch (IOException failed) {
      failure =
          new ArchiveFailed(
              "cannot write the archive in %s any further: %s; free space there, and the same"
                      .formatted(directory, failed.getMessage())
                  + " command goes on",
              failed);
      throw failure;
    } finally {
      appending.unlock();
    }
  }

  private WarcFile next() throws IOException {
    Instant now = clock.instant();
    Optional<WarcFile> created = Optional.empty();
    String name = "";
    while (created.isEmpty()) {
      serial++;
      name = "comity-%s-%05d".formatted(NAME.format(now), serial);
      created = WarcFile.create(directory, name);
    }
    WarcFile opened = created.get();
    file = opened;
    GzipMembers members = new GzipMembers();
    try {
      StringBuilder fields = new StringBuilder();
      field(fields, "format", "WARC File Format 1.1");
      field(
          fields,
          "conformsTo",
          "http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/");
      about.entrySet().stream()
          .sorted(Map.Entry.comparingByKey())
          .forEach(entry -> field(fields, entry.getKey(), Printable.text(entry.getValue())));
      RecordHeader header =
          new RecordHeader("warcinfo", id(), now).and("WARC-Filename", name + WarcFile.ENDING);
      record(
          members,
          header,
          "application/warc-fields",
          ByteBuffer.wrap(fields.toString().getBytes(StandardCharsets.UTF_8)));
      opened.append(members.bytes(), members.length());
      return opened;
    } finally {
      members.free();
    }
  }

  /** Completes the file. After a failure it is left for the next start to repair. */
  @Override
  public void close() {
    appending.lock();
    try {
      closed = true;
      WarcFile last = file;
      file = null;
      if (last != null && failure == null) {
        last.close();
      } else if (last != null) {
        last.abandon();
      }
    } catch (IOException failed) {
      throw new ArchiveFailed(
          "cannot complete the archive in %s: %s".formatted(directory, failed.getMessage()),
          failed);
    } finally {
      appending.unlock();
      for (GzipMembers members = idle.poll(); members != null; members = idle.poll()) {
        members.free();
      }
    }
  }
}
