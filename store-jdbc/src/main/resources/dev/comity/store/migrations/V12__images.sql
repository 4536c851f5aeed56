-- Images are kept once by content, and every sighting of one has a row. Nothing was stored in these tables before.
DROP TABLE provenance;
DROP TABLE images;

CREATE TABLE images (
  id            ${serial},
  sha256        BLOB NOT NULL UNIQUE,
  -- By its bytes; no site is believed.
  media_type    TEXT NOT NULL,
  -- Of the file's name: images/ab/abcdef….jpg.
  ending        TEXT NOT NULL,
  bytes         BIGINT NOT NULL,
  -- NULL where the format does not tell.
  width         INTEGER,
  height        INTEGER,
  -- A difference hash of 64 bits: images that look alike differ in few of them.
  dhash         BIGINT,
  -- What the file says about its use, as a JSON array.
  signals       TEXT,
  -- 1 where the file is in the data directory.
  kept          INTEGER NOT NULL DEFAULT 0,
  first_seen_at BIGINT NOT NULL,
  last_seen_at  BIGINT NOT NULL
);

-- One row per page and image URL on it. An image of a list has no page.
CREATE TABLE provenance (
  id             ${serial},
  -- Known once the image is settled.
  image_id       BIGINT REFERENCES images (id) ON DELETE CASCADE,
  image_url      TEXT NOT NULL,
  image_key      BIGINT NOT NULL,
  -- The entry of the frontier that answers for it: that of its URL, or of the target of its redirects. NULL where it is
  -- not asked for.
  url_id         BIGINT,
  page_url_id    BIGINT,
  source_domain  TEXT NOT NULL,
  -- img, srcset, picture, open_graph, twitter_card, link, list
  found_in       TEXT NOT NULL,
  descriptor     TEXT,
  alt            TEXT,
  title          TEXT,
  caption        TEXT,
  text_before    TEXT,
  text_after     TEXT,
  -- As the page declares them.
  width          INTEGER,
  height         INTEGER,
  link_target    TEXT,
  license_url    TEXT,
  credit         TEXT,
  page_title     TEXT,
  lang           TEXT,
  -- What header and page say about the use of images, as a JSON array.
  signals        TEXT,
  discovery_type TEXT NOT NULL DEFAULT 'discovery',
  first_seen_at  BIGINT NOT NULL,
  last_seen_at   BIGINT NOT NULL
);
CREATE UNIQUE INDEX provenance_sighting ON provenance (page_url_id, image_key) WHERE page_url_id IS NOT NULL;
CREATE INDEX provenance_image ON provenance (image_id, source_domain) WHERE image_id IS NOT NULL;
CREATE INDEX provenance_url ON provenance (url_id) WHERE url_id IS NOT NULL;

-- Where the redirect of an image URL leads; both are entries of the frontier.
CREATE TABLE image_moves (
  from_id ${serial},
  to_id   BIGINT NOT NULL
);

-- Domains that a run asks for images, also those outside its scope. Of the latter no page is asked.
CREATE TABLE crawl_run_image_hosts (
  run_id    BIGINT NOT NULL REFERENCES crawl_runs (id) ON DELETE CASCADE,
  domain_id BIGINT NOT NULL REFERENCES domains (id) ON DELETE CASCADE,
  PRIMARY KEY (run_id, domain_id)
);

-- A frontier's kind 3 is an image.
CREATE INDEX frontier_images ON domain_frontier (domain_id, place) WHERE state = 0 AND kind = 3;

-- The budget of images: what was kept, and what workers have drawn.
ALTER TABLE crawl_runs ADD COLUMN max_images BIGINT NOT NULL DEFAULT 0;
ALTER TABLE crawl_runs ADD COLUMN images BIGINT NOT NULL DEFAULT 0;
ALTER TABLE crawl_runs ADD COLUMN images_allotted BIGINT NOT NULL DEFAULT 0;
