package dev.comity.app.settings;

import java.util.List;

/**
 * What somebody said of a setting, not yet understood.
 *
 * @param list whether it was written as a list, be it of one
 */
record Told(List<String> values, boolean list, Origin origin) {

  static Told one(String value, Origin origin) {
    return new Told(List.of(value), false, origin);
  }
}
