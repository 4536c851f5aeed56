-- What a URL of the frontier is asked for: 0 a page, 1 a sitemap, which is no page and costs none.
ALTER TABLE domain_frontier ADD COLUMN kind INTEGER NOT NULL DEFAULT 0;
