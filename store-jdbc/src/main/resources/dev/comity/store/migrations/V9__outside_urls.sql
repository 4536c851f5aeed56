-- Links of a domain to itself that a run's depth or patterns leave out. They are in no frontier and in no counter; wider
-- terms put them there.
CREATE TABLE outside_urls (
  id          ${serial},
  domain_id   BIGINT NOT NULL REFERENCES domains (id) ON DELETE CASCADE,
  url         TEXT NOT NULL,
  depth       INTEGER NOT NULL,
  hops        INTEGER NOT NULL,
  referrer_id BIGINT
);
CREATE UNIQUE INDEX outside_urls_once ON outside_urls (domain_id, url);

-- The run on the same terms whose budget was spent when this one began: files of pages go on from there.
ALTER TABLE crawl_runs ADD COLUMN goes_on_from BIGINT;
