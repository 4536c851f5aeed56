package dev.comity.core.policy;

/** What a request is for. Every kind is paced alike; they differ in what their failure means. */
public enum Kind {
  PAGE,
  ROBOTS,
  SITEMAP,
  IMAGE;

  /** Whether its outcome speaks for the site's health, or only for its pace. */
  boolean speaksForTheSite() {
    return this == PAGE || this == IMAGE;
  }
}
