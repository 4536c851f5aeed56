package dev.comity.app.process;

import java.util.Optional;

/** The version as the jar's manifest has it. */
public final class Version {
  private static final String UNPACKAGED = "development";

  private Version() {}

  /** The version in the manifest; classes run outside their jar have none. */
  public static String number() {
    return Optional.ofNullable(Version.class.getPackage().getImplementationVersion())
        .orElse(UNPACKAGED);
  }

  /** What {@code --version} prints. */
  public static String line() {
    return "comity " + number();
  }
}
