package dev.comity.app.launcher.support;

/** How a start of the launcher ended and what it printed where. */
public record Ended(int code, String out, String err) {}
