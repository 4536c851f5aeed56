package dev.comity.app.launcher;

/** How a start of the launcher ended and what it printed where. */
record Ended(int code, String out, String err) {}
