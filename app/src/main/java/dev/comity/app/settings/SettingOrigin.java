package dev.comity.app.settings;

/**
 * Where a setting's value comes from.
 *
 * @param words in the answer of {@code comity config}
 * @param place added to an error; empty for a flag and a default, which need no search
 */
record SettingOrigin(String words, String place) {
  static final SettingOrigin DEFAULT = new SettingOrigin("default", "");

  static SettingOrigin flag(String name) {
    return new SettingOrigin("flag " + name, "");
  }

  /** Of a run that a worker has joined. */
  static SettingOrigin run(long id) {
    return new SettingOrigin("run " + id, "run " + id);
  }

  static SettingOrigin variable(String name) {
    return new SettingOrigin("environment " + name, "environment " + name);
  }

  static SettingOrigin line(String file, int line) {
    return new SettingOrigin(file + ":" + line, file + ", line " + line);
  }
}
