package dev.comity.app.settings;

import java.util.List;

/**
 * A setting as it was written, not yet converted.
 *
 * @param list whether it was written as a list, be it of one
 */
record RawValue(List<String> values, boolean list, SettingOrigin origin) {

  static RawValue one(String value, SettingOrigin origin) {
    return new RawValue(List.of(value), false, origin);
  }
}
