package dev.comity.core.scope;

/** What reading a text as a pattern came to: a pattern, or what is wrong with it. */
public sealed interface ParsedPattern permits UrlPattern, PatternRefusal {}
