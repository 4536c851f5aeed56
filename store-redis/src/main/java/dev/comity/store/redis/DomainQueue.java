package dev.comity.store.redis;

import dev.comity.core.port.queue.QueueCheckpoint;
import dev.comity.core.port.store.QueuedUrl;
import dev.comity.core.url.DomainName;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * The queue of one claimed domain in Redis. It belongs to the claim whose token it was opened with:
 * scripts refuse an older one. Not thread-safe.
 */
final class DomainQueue {
  /** URLs that one script adds: Redis does nothing else meanwhile. */
  private static final int MOST_AT_ONCE = 500;

  private final RedisLink link;
  private final List<byte[]> keys;
  private final DomainName domain;
  private final long token;
  private final int most;
  private String epoch;
  private long seq;
  private long size;
  private long over;

  /** What Redis has is not what this queue has written. */
  static final class QueueLost extends RuntimeException {
    QueueLost(DomainName domain) {
      super("the queue of %s in Redis is not as it was written".formatted(domain));
    }
  }

  /** Another worker has opened the queue since. */
  static final class QueueTakenOver extends RuntimeException {
    QueueTakenOver(DomainName domain, long token) {
      super("the queue of %s belongs to a later claim than %d".formatted(domain, token));
    }
  }

  private DomainQueue(
      RedisLink link, String namespace, DomainName domain, long token, int most, String epoch) {
    this.link = link;
    this.domain = domain;
    this.token = token;
    this.most = most;
    this.epoch = epoch;
    String queue = "frontier:%s:{%s}".formatted(namespace, domain.name());
    keys = List.of(bytes(queue), bytes(queue + ":taken"), bytes(queue + ":meta"));
  }

  /**
   * Opens the queue of a domain. What an earlier claim had taken returns to it.
   *
   * @param most how many URLs may wait in it
   * @param last what the store has of it
   * @param isLost hears that the queue has lost URLs since
   */
  static DomainQueue open(
      RedisLink link,
      String namespace,
      DomainName domain,
      long token,
      int most,
      Optional<QueueCheckpoint> last,
      Runnable isLost) {
    String fresh = UUID.randomUUID().toString().substring(0, 8);
    DomainQueue queue = new DomainQueue(link, namespace, domain, token, most, fresh);
    List<?> answer =
        queue.run(
            RedisScripts.OPEN,
            List.of(
                bytes("" + token),
                bytes(fresh),
                bytes(last.map(QueueCheckpoint::epoch).orElse("")),
                bytes("" + last.map(QueueCheckpoint::seq).orElse(0L)),
                bytes("" + last.map(QueueCheckpoint::size).orElse(0L))));
    queue.epoch = text(answer.get(1));
    queue.seq = Long.parseLong(text(answer.get(2)));
    queue.size = (Long) answer.get(3);
    if (text(answer.getFirst()).equals("lost")) {
      isLost.run();
    }
    return queue;
  }

  /** How many URLs wait in it, taken or not. */
  long size() {
    return size;
  }

  /** What the store is to keep of it. URLs without room are counted once. */
  QueueCheckpoint checkpoint() {
    QueueCheckpoint now = new QueueCheckpoint(epoch, seq, size, over);
    over = 0;
    return now;
  }

  /** Adds links that were never added; returns how many. */
  long add(List<QueuedUrl> urls) {
    return add(urls, false);
  }

  /** Adds links that may have been in it before: the store gives them up. */
  void takeOver(List<QueuedUrl> urls) {
    add(urls, true);
  }

  private long add(List<QueuedUrl> urls, boolean again) {
    long entered = 0;
    for (int from = 0; from < urls.size(); from += MOST_AT_ONCE) {
      List<byte[]> arguments = new ArrayList<>();
      arguments.add(bytes("" + most));
      arguments.add(bytes(again ? "1" : "0"));
      for (QueuedUrl url : urls.subList(from, Math.min(urls.size(), from + MOST_AT_ONCE))) {
        QueueEntry entry = QueueEntry.of(url);
        arguments.add(QueueEntry.hash(url.url()));
        arguments.add(bytes("" + entry.depth()));
        arguments.add(bytes(entry.member()));
      }
      List<?> answer = run(RedisScripts.ADD, held(arguments));
      seq = Long.parseLong(text(answer.get(1)));
      size = (Long) answer.get(2);
      entered += (Long) answer.get(3);
      over += (Long) answer.get(4);
    }
    return entered;
  }

  /** Takes the next URLs. They are taken again until they are acknowledged. */
  List<QueueEntry> take(int some) {
    List<?> answer = run(RedisScripts.TAKE, held(List.of(bytes("" + some))));
    size = (Long) answer.get(1);
    List<?> found = (List<?>) answer.get(2);
    List<QueueEntry> entries = new ArrayList<>();
    for (int at = 0; at < found.size(); at += 2) {
      entries.add(QueueEntry.of((byte[]) found.get(at), (byte[]) found.get(at + 1)));
    }
    return entries;
  }

  /** The store has these; others that were taken return to the queue. */
  void acknowledge(Collection<QueueEntry> entries) {
    List<?> answer =
        run(RedisScripts.ACK, held(entries.stream().map(entry -> bytes(entry.member())).toList()));
    size = (Long) answer.get(1);
  }

  /** Deletes the queue and all that it remembers. */
  void drop() {
    run(RedisScripts.DROP, List.of(bytes("" + token)));
    size = 0;
  }

  private List<byte[]> held(List<byte[]> more) {
    List<byte[]> arguments = new ArrayList<>(more.size() + 3);
    arguments.add(bytes("" + token));
    arguments.add(bytes(epoch));
    arguments.add(bytes("" + seq));
    arguments.addAll(more);
    return arguments;
  }

  private List<?> run(RedisScripts script, List<byte[]> arguments) {
    List<?> answer = (List<?>) link.ask(redis -> script.run(redis, keys, arguments));
    String first = text(answer.getFirst());
    if (first.equals("stale")) {
      throw new QueueTakenOver(domain, token);
    }
    if (first.equals("lost") && script != RedisScripts.OPEN) {
      throw new QueueLost(domain);
    }
    return answer;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String text(Object bytes) {
    return new String((byte[]) bytes, StandardCharsets.UTF_8);
  }
}
