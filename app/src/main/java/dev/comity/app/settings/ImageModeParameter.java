package dev.comity.app.settings;

import dev.comity.core.port.image.ImageMode;
import dev.comity.core.util.Printable;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.Stack;
import picocli.CommandLine.IParameterConsumer;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/**
 * Reads the value of {@code --images}, if one follows. What follows may also be an option, a URL to
 * crawl or a list to fetch, and then the files are wanted. A plain word is none of these.
 */
final class ImageModeParameter implements IParameterConsumer {

  @Override
  public void consumeParameters(Stack<String> arguments, ArgSpec option, CommandSpec command) {
    Optional<String> next = arguments.isEmpty() ? Optional.empty() : Optional.of(arguments.peek());
    Optional<ImageMode> mode = next.flatMap(ImageModeParameter::mode);
    if (mode.isPresent()) {
      arguments.pop();
    } else if (next.isPresent() && isPlainWord(next.get())) {
      throw new ParameterException(
          command.commandLine(),
          "Invalid value for option '--images': '%s' is none of files, metadata, off; a host or list of that name stands before --images"
              .formatted(Printable.text(Printable.cut(next.get()))));
    }
    option.setValue(mode.orElse(ImageMode.FILES));
  }

  private static Optional<ImageMode> mode(String text) {
    return Arrays.stream(ImageMode.values())
        .filter(mode -> mode.key().equals(text.toLowerCase(Locale.ROOT)))
        .findFirst();
  }

  /** Whether it is no option, and has neither a dot nor a colon nor a slash. */
  private static boolean isPlainWord(String text) {
    return !text.startsWith("-")
        && !text.equalsIgnoreCase("localhost")
        && text.chars().noneMatch(character -> ".:/\\".indexOf(character) >= 0);
  }
}
