package dev.comity.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.comity.app.support.Commands;
import dev.comity.app.support.Said;
import dev.comity.app.support.StoredFacts;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code import} of what other crawlers leave. */
class ImportCommandTest {
  /** Requests as Python wrote them: https://example.com/a?b=%C3%BC by pickle 4. */
  private static final String PICKLE_4 =
      "gASV8QAAAAAAAAB9lCiMA3VybJSMHmh0dHBzOi8vZXhhbXBsZS5jb20vYT9iPSVDMyVCQ5SMCGNhbGxiYWNrlIwFcGFy"
          + "c2WUjAdlcnJiYWNrlE6MB2hlYWRlcnOUfZRDB1JlZmVyZXKUXZRDCmh0dHBzOi8veC+UYXOMBm1ldGhvZJSMA0dF"
          + "VJSMBGJvZHmUQwCUjAdjb29raWVzlH2UjARtZXRhlH2UjAVkZXB0aJRLAnOMCGVuY29kaW5nlIwFdXRmLTiUjAhw"
          + "cmlvcml0eZRLAIwLZG9udF9maWx0ZXKUiYwFZmxhZ3OUXZSMCWNiX2t3YXJnc5R9lHUu";

  /** A POST of https://example.com/form. */
  private static final String POST =
      "gASV7AAAAAAAAAB9lCiMA3VybJSMGGh0dHBzOi8vZXhhbXBsZS5jb20vZm9ybZSMCGNhbGxiYWNrlIwFcGFyc2WUjAdl"
          + "cnJiYWNrlE6MB2hlYWRlcnOUfZRDB1JlZmVyZXKUXZRDCmh0dHBzOi8veC+UYXOMBm1ldGhvZJSMBFBPU1SUjARi"
          + "b2R5lEMAlIwHY29va2llc5R9lIwEbWV0YZR9lIwFZGVwdGiUSwJzjAhlbmNvZGluZ5SMBXV0Zi04lIwIcHJpb3Jp"
          + "dHmUSwCMC2RvbnRfZmlsdGVylImMBWZsYWdzlF2UjAljYl9rd2FyZ3OUfZR1Lg==";

  /** https://www.example.com/b by pickle 2. */
  private static final String PICKLE_2 =
      "gAJ9cQAoWAMAAAB1cmxxAVgZAAAAaHR0cHM6Ly93d3cuZXhhbXBsZS5jb20vYnECWAgAAABjYWxsYmFja3EDWAUAAABw"
          + "YXJzZXEEWAcAAABlcnJiYWNrcQVOWAcAAABoZWFkZXJzcQZ9cQdzWAYAAABtZXRob2RxEVgDAAAAR0VUcRJ1Lg==";

  /** https://example.com/m by marshal. */
  private static final String MARSHAL =
      "e9oDdXJs+hVodHRwczovL2V4YW1wbGUuY29tL23aCGNhbGxiYWNr2gVwYXJzZdoHZXJyYmFja07aBm1ldGhvZNoDR0VU"
          + "MA==";

  /** A pickle that would run a function where a URL should be. */
  private static final String EVIL =
      "gASVKQAAAAAAAAB9lIwDdXJslIwIYnVpbHRpbnOUjAVwcmludJSTlIwDcmFulIWUUpRzLg==";

  @TempDir private Path home;
  private Path data;

  @BeforeEach
  void anew() {
    data = home.resolve("data");
  }

  private Said take(Object... arguments) {
    List<String> all = new ArrayList<>(List.of("import", "--data", data.toString()));
    for (Object argument : arguments) {
      all.add(argument.toString());
    }
    return Commands.run(all.toArray(String[]::new));
  }

  private void isSound() {
    assertThat(Commands.run("doctor", "--data", data.toString()).code()).isZero();
  }

  @Test
  void a_nutch_dump_brings_queued_urls_and_pages_with_their_dates() throws IOException {
    Path dump = Files.createDirectory(home.resolve("dump"));
    Files.writeString(
        dump.resolve("part-r-00000"),
        """
        https://example.com/	Version: 7
        Status: 2 (db_fetched)
        Fetch time: Thu Jan 01 12:00:00 UTC 2026
        Modified time: Thu Jan 01 00:00:00 UTC 1970
        Retries since fetch: 0
        Retry interval: 2592000 seconds (30 days)
        Score: 1.0
        Signature: 0a
        Metadata:\s
         	_pst_=success(1), Status: 9 (db_gone)

        https://example.com/new	Version: 7
        Status: 1 (db_unfetched)
        Fetch time: Thu Jan 01 12:00:00 UTC 2026
        Retry interval: 2592000 seconds (30 days)
        Metadata:\s

        http://exa mple/	Version: 7
        Status: 1 (db_unfetched)
        """);
    Said said = take("nutch", dump);
    assertThat(said.code()).isEqualTo(6);
    assertThat(said.err()).startsWith("part-r-00000:18: ").contains("exa mple");
    assertThat(said.out())
        .contains("2 URLs: 1 pages with dates, 0 failed, 1 queued, 0 known already");
    assertThat(Commands.run("why", "https://example.com/", "--data", data.toString()).out())
        .contains("next look: 2026-01-01 12:00:00 UTC");
    Path pages = home.resolve("pages.jsonl");
    Commands.run("export", "pages", "--out", pages.toString(), "--data", data.toString());
    assertThat(Files.readString(pages)).contains("2025-12-02T12:00");
    isSound();
  }

  @Test
  void a_nutch_table_is_read_by_its_columns() throws IOException {
    Path dump =
        Files.writeString(
            home.resolve("part-00000.csv"),
            """
            Url,Status code,Status name,Fetch Time,Modified Time,Retries since fetch,Retry interval seconds,Retry interval days,Score,Signature,Metadata
            "https://example.com/a,b",3,"db_gone",Thu Jan 01 12:00:00 UTC 2026,x,0,2592000.0,30.0,1.0,"null",""
            "https://example.com/c",4,"db_redir_temp",Thu Jan 01 12:00:00 UTC 2026,x,0,2592000.0,30.0,1.0,"null",""
            """);
    Said said = take("nutch", dump, "--json");
    assertThat(said.out()).contains("\"new_pages\":2,\"new_failed\":0,\"new_queued\":0");
    isSound();
  }

  @Test
  void a_heritrix_recover_log_leaves_queued_what_was_not_fetched()
      throws IOException, SQLException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(bytes, true)) {
      gzip.write(
          """
          T 2026-01-02T03:04:05.000Z
          F+ http://example.com/ I http://seed/
          F+ dns:example.com P http://example.com/
          Fs dns:example.com P http://example.com/
          Fe http://example.com/
          Fs http://example.com/
          F+ http://example.com/later L http://example.com/
          F+ http://example.com/broken L http://example.com/
          Ff http://example.com/broken L http://example.com/
          """
              .getBytes(StandardCharsets.UTF_8));
      gzip.flush();
    }
    byte[] whole = bytes.toByteArray();
    // A crash of Heritrix leaves a file without its end.
    Path log =
        Files.write(home.resolve("frontier.recover.gz"), Arrays.copyOf(whole, whole.length - 10));
    Said said = take("heritrix", log);
    assertThat(said.err()).isEmpty();
    assertThat(said.out())
        .contains("3 URLs: 1 pages with dates, 1 failed, 1 queued, 0 known already");
    assertThat(StoredFacts.urls(data))
        .containsExactlyInAnyOrder(
            "http://example.com/", "http://example.com/later", "http://example.com/broken");
    assertThat(Commands.run("why", "http://example.com/", "--data", data.toString()).out())
        .contains("next look: 2026-01-16 03:04:05 UTC");
    isSound();
  }

  @Test
  void the_queue_of_a_scrapy_job_is_read_and_no_code_in_it_is_run()
      throws IOException, SQLException {
    Path queue = Files.createDirectories(home.resolve("job/requests.queue/example.com-abc"));
    Files.writeString(home.resolve("job/requests.seen"), "0a0b\n");
    Files.writeString(home.resolve("job/requests.queue/active.json"), "{}");
    stack(queue.resolve("0"), PICKLE_4, POST, PICKLE_2, EVIL);
    Path chunks = Files.createDirectory(queue.resolve("-1"));
    int taken = chunk(chunks.resolve("q00000"), PICKLE_2, MARSHAL);
    Files.writeString(
        chunks.resolve("info.json"),
        "{\"chunksize\": 100000, \"size\": 1, \"tail\": [0, 1, %d], \"head\": [0, 2]}"
            .formatted(taken));
    Said said = take("scrapy", home.resolve("job"));
    assertThat(said.code()).isEqualTo(6);
    assertThat(said.err().lines())
        .satisfiesExactlyInAnyOrder(
            line -> assertThat(line).startsWith("example.com-abc/0:1: ").contains("builtins"),
            line ->
                assertThat(line)
                    .isEqualTo(
                        "example.com-abc/0:3: the request is no GET, and Comity sends no other"));
    assertThat(StoredFacts.urls(data))
        .containsExactlyInAnyOrder(
            "https://example.com/a?b=%C3%BC", "https://www.example.com/b", "https://example.com/m");
    isSound();
  }

  @Test
  void a_damaged_queue_is_named_and_what_lies_behind_it_is_taken() throws IOException {
    Path queue = Files.createDirectories(home.resolve("job/requests.queue"));
    stack(queue.resolve("0"), PICKLE_4);
    byte[] bytes = Files.readAllBytes(queue.resolve("0"));
    // An entry whose length leads before the beginning of the file.
    ByteArrayOutputStream damaged = new ByteArrayOutputStream();
    damaged.write(new byte[] {0, 0, 0, 2, 'x', 'x', 127, 0, 0, 0});
    damaged.write(bytes, 4, bytes.length - 4);
    Files.write(queue.resolve("0"), damaged.toByteArray());
    Said said = take("scrapy", home.resolve("job"));
    assertThat(said.code()).isEqualTo(6);
    assertThat(said.err()).isEqualTo("0:2: the queue is damaged here: an entry has no length\n");
    assertThat(said.out()).contains("1 queued");
  }

  @Test
  void a_directory_that_is_no_job_is_refused() {
    Said said = take("scrapy", home);
    assertThat(said.code()).isEqualTo(2);
    assertThat(said.err()).contains("requests.queue");
  }

  private static void stack(Path file, String... entries) throws IOException {
    try (DataOutputStream out = new DataOutputStream(Files.newOutputStream(file))) {
      out.writeInt(entries.length);
      for (String entry : entries) {
        byte[] bytes = Base64.getDecoder().decode(entry);
        out.write(bytes);
        out.writeInt(bytes.length);
      }
    }
  }

  /** Returns where the second entry begins. */
  private static int chunk(Path file, String... entries) throws IOException {
    try (DataOutputStream out = new DataOutputStream(Files.newOutputStream(file))) {
      for (String entry : entries) {
        byte[] bytes = Base64.getDecoder().decode(entry);
        out.writeInt(bytes.length);
        out.write(bytes);
      }
    }
    return 4 + Base64.getDecoder().decode(entries[0]).length;
  }
}
