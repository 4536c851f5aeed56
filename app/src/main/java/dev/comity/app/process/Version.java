package dev.comity.app.process;

import java.util.Optional;
import picocli.CommandLine.IVersionProvider;

/** What {@code --version} answers: one line, the version as the jar's manifest has it. */
public final class Version implements IVersionProvider {
  private static final String UNPACKAGED = "development";

  @Override
  public String[] getVersion() {
    return new String[] {"comity " + number()};
  }

  /** The version in the manifest; classes run outside their jar have none. */
  public static String number() {
    return Optional.ofNullable(Version.class.getPackage().getImplementationVersion())
        .orElse(UNPACKAGED);
  }
}
