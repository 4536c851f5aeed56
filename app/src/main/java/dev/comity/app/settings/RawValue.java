package dev.comity.app.settings;

import java.util.List;

/**
 * What somebody said of a setting, not yet understood.
 *
 * @param list whether it was written as a list, be it of one
 */
record RawValue(List<String> values, boolean list, Origin origin) {

  static RawValue one(String value, Origin origin) {
    return new RawValue(List.of(value), false, origin);
  }
}
