package dev.comity.core.policy;

/** What follows from an attempt: for the domain, and for the URL. */
public record Decision(DomainState state, Fate fate) {}
