-- When a page is looked at again is due_at of its row, once it is done. What its visits have shown is beside it; times
-- are seconds. A page that was visited once has neither changes nor a reason.
ALTER TABLE domain_frontier ADD COLUMN visited_at INTEGER;
-- Of the text: a change of bytes alone is none.
ALTER TABLE domain_frontier ADD COLUMN fingerprint BIGINT;
-- Four sums of 16 bits each: days without a change, changes, days with one, changes with a date.
ALTER TABLE domain_frontier ADD COLUMN changes BIGINT;
-- When it was first missing. Without a date as well, it is gone.
ALTER TABLE domain_frontier ADD COLUMN missing_since INTEGER;
-- Why it is due then, by number.
ALTER TABLE domain_frontier ADD COLUMN due_why INTEGER;
-- What the site's own dates said since the last visit: 1 it is visited because of them, 2 they are not followed.
ALTER TABLE domain_frontier ADD COLUMN hint INTEGER;

CREATE INDEX frontier_hinted ON domain_frontier (domain_id) WHERE hint = 1;

-- Price of a visit, trust in hints and rates by template: one text that decides.
ALTER TABLE domains ADD COLUMN refresh_state TEXT;
ALTER TABLE crawl_runs ADD COLUMN refresh INTEGER NOT NULL DEFAULT 0;

-- Pages that are known already: a fortnight after their last visit.
UPDATE domain_frontier SET visited_at = p.at / 1000, due_at = p.at + 1209600000
  FROM (SELECT url_id, max(started_at) AS at FROM pages GROUP BY url_id) p
  WHERE domain_frontier.id = p.url_id AND state = 1 AND kind = 0;
-- Those whose page was pruned.
UPDATE domain_frontier SET visited_at = discovered_at, due_at = (discovered_at + 1209600) * 1000
  WHERE state = 1 AND kind = 0 AND asked > 0 AND due_at IS NULL;
-- Sitemaps are read daily, for what they say of other pages.
UPDATE domain_frontier SET visited_at = discovered_at, due_at = (discovered_at + 86400) * 1000
  WHERE state = 1 AND kind = 1 AND asked > 0;
UPDATE domains SET version = version + 1, next_crawl_after =
  (SELECT min(due_at) FROM domain_frontier WHERE domain_id = domains.id AND state = 1 AND due_at IS NOT NULL)
  WHERE status = 'exhausted';
