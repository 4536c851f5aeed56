package dev.comity.store;

import java.io.IOException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A database on a PostgreSQL server, by its address. No text of it shows the password.
 *
 * <p>The password is that of the address, of the file that its parameter {@code passwordFile}
 * names, of the environment's {@code PGPASSWORD}, or of the driver's password file ({@code
 * PGPASSFILE}, or {@code ~/.pgpass}).
 */
public final class ServerDatabase implements StoreLocation {
  private static final Pattern ADDRESS =
      Pattern.compile(
          "(?:jdbc:)?(?:postgresql|postgres)://(?:([^/?#@]*)@)?([^/?#@]*)/([^/?#]*)(?:\\?([^#]*))?");

  /** Which part of an address may be shown: what stands after is no address of ours. */
  private static final Pattern SCHEME = Pattern.compile("[A-Za-z][A-Za-z0-9+.:-]{0,30}");

  /** A name or address, and a port if there is one. */
  private static final Pattern HOST =
      Pattern.compile("(?:[^:\\[\\]]+|\\[[^\\[\\]]+])(?::(\\d{1,5}))?");

  private static final int HIGHEST_PORT = 65_535;

  private static final String PASSWORD_FILE = "passwordFile";
  private static final int LONGEST_PASSWORD = 4096;

  /** A longer silence of the server is a lost connection. */
  private static final Duration SILENCE = Duration.ofSeconds(15);

  private static final Map<String, String> BRIEF =
      Map.of("socketTimeout", "" + SILENCE.toSeconds());

  /** Statements may take long; some rows of a long result are in memory at a time. */
  private static final Map<String, String> PATIENT =
      Map.of("socketTimeout", "0", "defaultRowFetchSize", "1000");

  /** A transaction whose client is gone holds its locks no longer. */
  private static final Duration IDLE = Duration.ofSeconds(10);

  private final String hosts;
  private final String name;
  private final Map<String, String> parameters;
  private final Optional<String> user;
  private final Optional<String> password;

  private ServerDatabase(
      String hosts,
      String name,
      Map<String, String> parameters,
      Optional<String> user,
      Optional<String> password) {
    this.hosts = hosts;
    this.name = name;
    this.parameters = parameters;
    this.user = user;
    this.password = password;
  }

  /**
   * The database at an address such as {@code postgresql://user@host:5432/name}.
   *
   * @throws IllegalArgumentException if it is none; the message does not repeat the address
   */
  public static ServerDatabase at(String address) {
    Matcher parts = ADDRESS.matcher(address.strip());
    // An @ behind the first slash is that of a password with a slash in it.
    if (!parts.matches()
        || parts.group(2).isEmpty()
        || parts.group(3).isEmpty()
        || parts.group(3).indexOf('@') >= 0) {
      Matcher scheme = SCHEME.matcher(address.strip());
      throw new IllegalArgumentException(
          "db %s no address of a PostgreSQL database: write it like postgresql://user@host:5432/name"
              .formatted(scheme.lookingAt() ? "begins with " + scheme.group() + " and is" : "is"));
    }
    requirePorts(parts.group(2));
    Map<String, String> parameters = parameters(parts.group(4));
    Optional<String> user = Optional.ofNullable(parameters.remove("user"));
    Optional<String> password = Optional.ofNullable(parameters.remove("password"));
    if (parts.group(1) != null) {
      String[] login = parts.group(1).split(":", 2);
      user = Optional.of(decoded(login[0]));
      password = login.length == 2 ? Optional.of(decoded(login[1])) : password;
    }
    return new ServerDatabase(
        parts.group(2),
        decoded(parts.group(3)),
        parameters,
        user.filter(text -> !text.isEmpty()),
        password.filter(text -> !text.isEmpty()));
  }

  private static void requirePorts(String hosts) {
    for (String host : hosts.split(",", -1)) {
      Matcher parts = HOST.matcher(host);
      String port = parts.matches() ? parts.group(1) : "";
      if (port != null && (port.isEmpty() || Integer.parseInt(port) > HIGHEST_PORT)) {
        throw new IllegalArgumentException(
            "db names a server in a wrong way: write host or host:port, with a port from 1 to %d, and commas between several"
                .formatted(HIGHEST_PORT));
      }
    }
  }

  private static Map<String, String> parameters(String query) {
    Map<String, String> parameters = new LinkedHashMap<>();
    if (query != null) {
      for (String one : query.split("&", -1)) {
        int equals = one.indexOf('=');
        if (equals > 0) {
          parameters.put(decoded(one.substring(0, equals)), decoded(one.substring(equals + 1)));
        }
      }
    }
    return parameters;
  }

  private static String decoded(String text) {
    try {
      return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException _) {
      throw new IllegalArgumentException(
          "db has a % that is followed by no two hexadecimal digits: write %25 for a % itself");
    }
  }

  /** Whether the address itself has the password, for anyone to read. */
  public boolean tellsPassword() {
    return password.isPresent() || parameters.containsKey("sslpassword");
  }

  /** A new connection, which is to commit by itself. */
  public Connection connect() throws SQLException {
    return connect(BRIEF);
  }

  private Connection connect(Map<String, String> more) throws SQLException {
    Properties settings = new Properties();
    settings.setProperty("ApplicationName", "comity");
    settings.setProperty("tcpKeepAlive", "true");
    settings.setProperty("connectTimeout", "" + SILENCE.toSeconds());
    settings.setProperty("loginTimeout", "" + SILENCE.toSeconds());
    more.forEach(settings::setProperty);
    // A text has the type of the column that it is for, also where that is an enum.
    settings.setProperty("stringtype", "unspecified");
    settings.setProperty("reWriteBatchedInserts", "true");
    settings.setProperty("options", "-c idle_in_transaction_session_timeout=" + IDLE.toMillis());
    if (hosts.indexOf(',') >= 0) {
      // Of several servers the one that takes writes: after a failover that is another.
      settings.setProperty("targetServerType", "primary");
    }
    parameters.forEach(settings::setProperty);
    settings.remove(PASSWORD_FILE);
    user.ifPresent(login -> settings.setProperty("user", login));
    secret().ifPresent(word -> settings.setProperty("password", word));
    return DriverManager.getConnection(
        "jdbc:postgresql://"
            + hosts
            + "/"
            + URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20"),
        settings);
  }

  private Optional<String> secret() {
    if (password.isPresent()) {
      return password;
    }
    String file = parameters.get(PASSWORD_FILE);
    return file == null
        ? Optional.ofNullable(System.getenv("PGPASSWORD")).filter(word -> !word.isEmpty())
        : Optional.of(firstLine(file));
  }

  private static String firstLine(String file) {
    try (var in = Files.newInputStream(Path.of(file))) {
      String text = new String(in.readNBytes(LONGEST_PASSWORD), StandardCharsets.UTF_8);
      return text.lines().findFirst().orElse("");
    } catch (IOException | InvalidPathException failed) {
      throw new StoreUnusable(
          "passwordFile is %s, but cannot be read (%s): name a file whose first line is the password"
              .formatted(file, failed.getClass().getSimpleName()));
    }
  }

  /** A connection that answers, or an error that says what to do. */
  private Connection open() {
    return open(BRIEF);
  }

  private Connection open(Map<String, String> more) {
    try {
      return connect(more);
    } catch (SQLException failed) {
      throw new StoreUnusable(complaint(failed), failed);
    }
  }

  /** What keeps a connection from being made, and the way out. */
  public String complaint(SQLException failed) {
    String state = Optional.ofNullable(failed.getSQLState()).orElse("");
    String said = String.valueOf(failed.getMessage()).lines().findFirst().orElse("");
    return switch (state) {
      case "28P01", "28000" -> refused();
      case String it when it.startsWith("08") && said.contains("password") -> refused();
      case "3D000" ->
          "%s: there is no database %s on this server; make it with `createdb %s`"
              .formatted(shown(), name, name);
      case String it when it.startsWith("08") ->
          "%s cannot be reached: start the server, or correct db (%s)"
              .formatted(
                  shown(),
                  failed.getCause() instanceof UnknownHostException
                      ? "no address is found for its host"
                      : said);
      case "42501" ->
          "%s: this user may not do that; `GRANT CREATE ON SCHEMA public TO %s` lets it make"
                  .formatted(shown(), user.orElse("USER"))
              + " tables ("
              + said
              + ")";
      default -> "%s: the server says: %s".formatted(shown(), said);
    };
  }

  private String refused() {
    return shown()
        + " refuses this user or its password: keep the password in ~/.pgpass (mode 600), in the"
        + " environment's PGPASSWORD, or in a file that db names with ?passwordFile=FILE";
  }

  @Override
  public boolean exists() {
    return true;
  }

  @Override
  public Connection reading() {
    Connection connection = open();
    try {
      connection.setReadOnly(true);
      return connection;
    } catch (SQLException failed) {
      throw new StoreUnusable(complaint(failed), failed);
    }
  }

  @Override
  public Connection snapshot() {
    Connection connection = patient();
    try {
      connection.setReadOnly(true);
      connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
      connection.setAutoCommit(false);
      return connection;
    } catch (SQLException failed) {
      throw new StoreUnusable(complaint(failed), failed);
    }
  }

  @Override
  public Connection writing() {
    return open();
  }

  /** A connection whose statements may take long. */
  public Connection patient() {
    return open(PATIENT);
  }

  @Override
  public SqlDialect dialect() {
    return SqlDialect.POSTGRES;
  }

  /** The address without the password and without parameters. */
  @Override
  public String shown() {
    return "postgresql://" + user.map(login -> login + "@").orElse("") + hosts + "/" + name;
  }

  /** The address as a setting shows it: with the names of its parameters alone. */
  public String masked() {
    return parameters.isEmpty()
        ? shown()
        : parameters.keySet().stream()
            .map(key -> key + "=" + (key.equals(PASSWORD_FILE) ? parameters.get(key) : "***"))
            .collect(Collectors.joining("&", shown() + "?", ""));
  }

  @Override
  public String toString() {
    return shown();
  }
}
