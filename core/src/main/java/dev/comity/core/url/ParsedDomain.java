package dev.comity.core.url;

/** What reading a text as a domain came to: a domain, or the reason why it is none. */
public sealed interface ParsedDomain permits DomainName, UrlRefusal {}
