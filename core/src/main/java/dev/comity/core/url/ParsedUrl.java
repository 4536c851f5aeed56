package dev.comity.core.url;

/** What reading a text as a URL came to: a URL, or the reason why it is none. */
public sealed interface ParsedUrl permits CrawlUrl, UrlRefusal {}
