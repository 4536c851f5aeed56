-- What a site said about the use of a page's content: a JSON array of texts, each with its place before a colon.
ALTER TABLE pages ADD COLUMN wishes TEXT;

-- The wish that refuses a URL what the crawl is for. Where the URL is denied, it was not asked or its body not read;
-- where it is done, its title, text and body were not kept.
CREATE TABLE refusals (
  url_id    BIGINT PRIMARY KEY REFERENCES domain_frontier (id) ON DELETE CASCADE,
  domain_id BIGINT NOT NULL,
  purpose   TEXT NOT NULL,
  -- robots.txt, tdmrep.json, header, page, image
  origin    TEXT NOT NULL,
  words     TEXT NOT NULL,
  at        BIGINT NOT NULL
);
CREATE INDEX refusals_domain ON refusals (domain_id);
