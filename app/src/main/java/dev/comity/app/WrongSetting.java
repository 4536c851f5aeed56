package dev.comity.app;

/**
 * A setting that makes no sense. The message names the setting, its value, the rule and, where it
 * helps, the fix.
 */
final class WrongSetting extends RuntimeException {
  WrongSetting(String message) {
    super(message);
  }
}
