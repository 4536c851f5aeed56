package dev.comity.app.settings;

import dev.comity.core.port.image.ImageMode;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.Stack;
import picocli.CommandLine.IParameterConsumer;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;

/**
 * Reads the value of {@code --images}, if one follows. What follows may also be a URL to crawl, and
 * then the files are wanted.
 */
final class ImageModeParameter implements IParameterConsumer {

  @Override
  public void consumeParameters(Stack<String> arguments, ArgSpec option, CommandSpec command) {
    Optional<ImageMode> mode =
        arguments.isEmpty() ? Optional.empty() : mode(arguments.peek().toLowerCase(Locale.ROOT));
    if (mode.isPresent()) {
      arguments.pop();
    }
    option.setValue(mode.orElse(ImageMode.FILES));
  }

  private static Optional<ImageMode> mode(String text) {
    return Arrays.stream(ImageMode.values()).filter(mode -> mode.key().equals(text)).findFirst();
  }
}
