package dev.comity.app.settings;

import dev.comity.core.scope.Scope.Reach;
import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads how far links are followed. The reach of a list is none of the choices. */
final class ReachConverter implements ITypeConverter<Reach> {
  @Override
  public Reach convert(String text) {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "subtree" -> Reach.SUBTREE;
      case "host" -> Reach.HOST;
      case "domain" -> Reach.DOMAIN;
      case "seeds" -> Reach.SEEDS;
      case "any" -> Reach.ANY;
      default ->
          throw new TypeConversionException(
              "'" + text + "' is none of subtree, host, domain, seeds, any");
    };
  }
}
