package dev.comity.core.url;

/** What reading a line as a seed came to: a seed, or the reason why it is none. */
public sealed interface ParsedSeed permits Seed, UrlRefusal {}
