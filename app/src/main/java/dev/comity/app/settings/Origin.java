package dev.comity.app.settings;

/** Where a setting's value comes from; the later ones go before the earlier. */
sealed interface Origin {
  /** In a table. */
  String words();

  /** After what is wrong with the value; empty where whoever reads it has just typed it. */
  String place();

  /** Nobody said anything. */
  record Usual() implements Origin {
    @Override
    public String words() {
      return "default";
    }

    @Override
    public String place() {
      return "";
    }
  }

  /** A line of a file. */
  record Line(String file, int line) implements Origin {
    @Override
    public String words() {
      return file + ":" + line;
    }

    @Override
    public String place() {
      return file + ", line " + line;
    }
  }

  /** A variable of the environment. */
  record Variable(String name) implements Origin {
    @Override
    public String words() {
      return "environment " + name;
    }

    @Override
    public String place() {
      return words();
    }
  }

  /** The command line. */
  record Flag(String name) implements Origin {
    @Override
    public String words() {
      return "flag " + name;
    }

    @Override
    public String place() {
      return "";
    }
  }
}
