package dev.comity.app.command.source;

import dev.comity.app.command.DataCommand;
import dev.comity.app.settings.DataOption;
import dev.comity.app.settings.Settings;
import dev.comity.app.settings.WrongSetting;
import dev.comity.app.text.DurationConverter;
import dev.comity.core.policy.DomainPolicy;
import dev.comity.core.port.source.AddAnswer;
import dev.comity.core.port.source.SourceOperations;
import dev.comity.core.util.Printable;
import dev.comity.store.StoreSettings;
import dev.comity.store.open.OpenStore;
import dev.comity.store.operate.Intake;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import picocli.CommandLine.TypeConversionException;

/** What commands about sources and single URLs share. */
abstract class SourceDataCommand extends DataCommand {
  /** A longer interval is a URL that is not wanted. */
  private static final Duration LONGEST = Duration.ofDays(365);

  private static final int HUNDREDTH_MILLIS = 10;

  /** Opens the store for URLs, making it where there is none. */
  static Intake intake(DataOption data, Settings settings) {
    return OpenStore.intake(
        data.place(),
        StoreSettings.of(
                new DomainPolicy(settings.policy()), settings.reach().grouping(), Clock.systemUTC())
            .with(settings.storeLimits()));
  }

  static SourceOperations sources(DataOption data) {
    return OpenStore.sources(data.existing(), System.getProperty("user.name", "operator"));
  }

  final void answered(String url, AddAnswer answer) {
    if (inJson()) {
      say(AnswerWords.fields(url, answer));
    } else {
      say(AnswerWords.line(url, answer));
    }
  }

  /**
   * An interval as it is written: a time, `default` or `off`.
   *
   * @return empty for the global interval, zero for none
   */
  static Optional<Duration> interval(String text) {
    return switch (text) {
      case "default" -> Optional.empty();
      case "off" -> Optional.of(Duration.ZERO);
      default -> Optional.of(time(text));
    };
  }

  private static Duration time(String text) {
    try {
      Duration time = new DurationConverter().convert(text);
      if (time.compareTo(LONGEST) <= 0 && time.toMillis() % HUNDREDTH_MILLIS == 0) {
        return time;
      }
    } catch (TypeConversionException _) {
      // Said below.
    }
    throw new WrongSetting(
        "interval is %s, but must be seconds with at most two decimals, such as 10 or 0.25, up to 365d; or `default` or `off`"
            .formatted(Printable.text(text)));
  }

  static WrongSetting unknown(String name) {
    return new WrongSetting(
        "source is %s, but there is none of that name; `comity source list` lists those there are"
            .formatted(Printable.text(name)));
  }
}
