-- What is known of templates: URLs that one rule of a site's software makes.
CREATE TABLE url_templates (
  domain_id        BIGINT NOT NULL REFERENCES domains (id) ON DELETE CASCADE,
  template         TEXT NOT NULL,
  -- Pages that were first asked, and how many of the last of them brought nothing new.
  pages            BIGINT NOT NULL,
  barren           INTEGER NOT NULL,
  -- Links to it that were found and not kept.
  left_out         BIGINT NOT NULL,
  suppressed_since BIGINT,
  reason           TEXT,
  -- 1 where an operator said that it is no trap.
  lifted           INTEGER NOT NULL DEFAULT 0,
  -- The pages those barren ones were found on, as bits: about how many they are.
  found_on         BIGINT NOT NULL,
  -- What its pages have said and where they led.
  memory           BLOB,
  PRIMARY KEY (domain_id, template)
);

-- How many sub-domains of a name are known, and how many links to further ones were not kept.
CREATE TABLE subdomains (
  owner    TEXT PRIMARY KEY,
  known    BIGINT NOT NULL,
  left_out BIGINT NOT NULL DEFAULT 0
);

ALTER TABLE domains ADD COLUMN urls_suppressed BIGINT NOT NULL DEFAULT 0;

-- A frontier's state 5 is suppressed.
DROP VIEW urls;
CREATE VIEW urls AS
  SELECT f.id, d.domain, a.authority || f.target AS url,
    CASE f.state WHEN 0 THEN CASE WHEN f.due_at IS NULL THEN 'queued' ELSE 'deferred' END
      WHEN 1 THEN 'done' WHEN 2 THEN 'failed' WHEN 3 THEN 'denied' WHEN 4 THEN 'set_aside'
      ELSE 'suppressed' END AS state,
    f.depth, f.hops, f.asked, f.tries_spent, f.due_at, f.discovered_at, f.referrer_id, f.domain_id
  FROM domain_frontier f
  JOIN domains d ON d.id = f.domain_id
  JOIN authorities a ON a.domain_id = f.domain_id AND a.number = f.authority_no;
