package dev.comity.core.engine;

/**
 * How many pages a run may still settle. Taking a URL reserves one; what does not end as a page
 * gives it back.
 */
final class PageBudget {
  private long left;
  private int reserved;

  PageBudget(long pages) {
    left = pages;
  }

  synchronized boolean reserve() {
    if (left == 0) {
      return false;
    }
    left--;
    reserved++;
    return true;
  }

  synchronized void giveBack() {
    left++;
    reserved--;
  }

  synchronized void spend() {
    reserved--;
  }

  /** Whether no page is left and none can come back. */
  synchronized boolean isSpent() {
    return left == 0 && reserved == 0;
  }

  /** Whether a URL could be taken now. */
  synchronized boolean hasRoom() {
    return left > 0;
  }
}
