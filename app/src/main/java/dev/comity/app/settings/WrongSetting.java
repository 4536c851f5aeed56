package dev.comity.app.settings;

/**
 * An invalid setting. The message names the setting, its value, the rule and, where it helps, the
 * fix.
 */
public final class WrongSetting extends RuntimeException {
  public WrongSetting(String message) {
    super(message);
  }
}
