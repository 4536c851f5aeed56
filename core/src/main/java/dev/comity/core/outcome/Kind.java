package dev.comity.core.outcome;

/** What a request is for. Every kind is paced alike; they differ in what their failure means. */
public enum Kind {
  PAGE,
  ROBOTS,
  /** A tdmrep.json: which parts of an authority are reserved from mining. */
  TDMREP,
  SITEMAP,
  IMAGE,
  /** A page that is known, asked once more for its links alone. It is no page of the run. */
  LINKS;

  /**
   * Whether frontiers have entries of it. A robots.txt or tdmrep.json is asked for between them.
   */
  public boolean isQueued() {
    return this != ROBOTS && this != TDMREP;
  }

  /** Whether links are read from the answer. */
  public boolean isRead() {
    return this == PAGE || this == LINKS;
  }

  /** Whether its outcome speaks for the site's health, or only for its pace. */
  public boolean speaksForTheSite() {
    return isRead() || this == IMAGE;
  }
}
